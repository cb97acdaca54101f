// Reads nvcc's command line by the table of its options.
#include "src/program/nvcc_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

namespace lanework {
namespace {

constexpr std::string_view kLongPrefix = "--";

/// How the word begins with the option: the length of its name there, 0 where it does not.
std::size_t match(const NvccOption& option, std::string_view word) {
    for (const std::string_view name : {option.name, option.long_name}) {
        if (name.empty() || !word.starts_with(name)) continue;
        const bool whole = word.size() == name.size();
        const bool assigned = !whole && word[name.size()] == '=' && option.value != OptionValue::none;
        const bool joined = option.value == OptionValue::joined && !name.starts_with(kLongPrefix);
        if (whole || assigned || joined) return name.size();
    }
    return 0;
}

bool is_option(std::string_view word) { return word.size() > 1 && word.starts_with("-"); }

/// Comma-separated words; "\," is a comma.
std::vector<std::string> split_words(std::string_view text) {
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',')
            words.back() += text[++i];
        else if (text[i] == ',')
            words.emplace_back();
        else
            words.back() += text[i];
    }
    std::erase(words, "");
    return words;
}

[[noreturn]] void refuse_unknown(std::string_view word) {
    std::vector<std::string_view> names;
    for (const NvccOption& option : nvcc_options()) {
        names.push_back(option.name);
        if (!option.long_name.empty()) names.push_back(option.long_name);
    }
    const std::string_view near = nearest_name(word.substr(0, word.find('=')), names);
    throw UsageError(fmt::format("nvcc's option {} is not known here{}", word,
                                 near.empty() ? "; an option of the host compiler's goes behind -Xcompiler"
                                              : fmt::format("; did you mean {}?", near)));
}

class Reader {
public:
    explicit Reader(std::span<const std::string> words) : words_(words) {}

    BuildRequest read() {
        forwards_ = std::ranges::any_of(words_, [](std::string_view word) {
            return word.ends_with("-forward-unknown-to-host-compiler") || word.ends_with("-forward-unknown-opts");
        });
        for (at_ = 0; at_ < words_.size(); ++at_)
            is_option(words_[at_]) ? read_option(words_[at_]) : add_input(words_[at_]);
        return std::move(request_);
    }

private:
    void add_input(const std::string& word) {
        request_.inputs.push_back(word);
        request_.languages.push_back(word.starts_with("-") ? "" : language_);
    }

    void read_option(const std::string& word) {
        const NvccOption* const option = find_nvcc_option(word);
        if (!option) {
            if (!forwards_) refuse_unknown(word);
            request_.compile.push_back(word);
            return;
        }
        const std::string value = option->value == OptionValue::none ? "" : value_of(*option, word);
        switch (option->use) {
            case OptionUse::preprocess: add(request_.preprocess, *option, value); break;
            case OptionUse::compile: add(request_.compile, *option, value); break;
            case OptionUse::link: add_input(std::string(option->name) + value); break;
            case OptionUse::words:
                for (std::string& each : split_words(value)) request_.compile.push_back(std::move(each));
                break;
            case OptionUse::linker_words:
                for (const std::string& each : split_words(value)) add_input("-Wl," + each);
                break;
            case OptionUse::driver: drive(option->name, value); break;
            case OptionUse::noted: request_.noted.push_back(word); break;
            case OptionUse::refused: throw UsageError(fmt::format("{}: {}", word, option->meaning));
        }
    }

    /// Behind the name, behind its equals sign, or the next word.
    std::string value_of(const NvccOption& option, const std::string& word) {
        if (!takes_next_word(option, word)) {
            const std::size_t length = match(option, word);
            return word.substr(word.compare(length, 1, "=") == 0 ? length + 1 : length);
        }
        if (at_ + 1 == words_.size()) throw UsageError(word + " needs a value");
        return words_[++at_];
    }

    static void add(std::vector<std::string>& to, const NvccOption& option, const std::string& value) {
        const std::string name(option.name);
        if (option.value == OptionValue::none)
            to.push_back(name);
        else if (option.value == OptionValue::joined)
            to.push_back(name + value);
        else if (name == "-std")
            to.push_back(name + "=" + value);
        else
            to.insert(to.end(), {name, value});
    }

    void drive(std::string_view name, const std::string& value) {
        using Stage = BuildRequest::Stage;
        if (name == "-c" || name == "-dw") request_.stage = Stage::compile;
        if (name == "-dc") request_.stage = Stage::compile, request_.relocatable = true;
        if (name == "-rdc") request_.relocatable = value == "true";
        if (name == "-E") request_.stage = Stage::preprocess;
        if (name == "-M" || name == "-MM") request_.stage = Stage::depend;
        if (name == "-MD" || name == "-MMD") request_.dependencies = true;
        if (name == "-MM" || name == "-MMD") request_.system_dependencies = false;
        if (name == "-MF") request_.dependency_file = value;
        if (name == "-MT") request_.dependency_target = value;
        if (name == "-MP") request_.phony_dependencies = true;
        if (name == "-o") request_.output = value;
        if (name == "-odir") request_.output_folder = value;
        if (name == "-x") language_ = value;
        if (name == "-shared") request_.shared = true;
        if (name == "-lib") request_.stage = Stage::archive;
        if (name == "-dlink") request_.device_link = true;
        if (name == "-ccbin") request_.compiler = value;
        if (name == "-g") request_.debug = true;
        if (name == "-G") request_.debug = true, request_.compile.emplace_back("-O0");
        if (name == "-v") request_.verbose = true;
        if (name == "-V") request_.version = true;
    }

    std::span<const std::string> words_;
    std::size_t at_ = 0;
    bool forwards_ = false;
    std::string language_;
    BuildRequest request_;
};

}  // namespace

const NvccOption* find_nvcc_option(std::string_view word) {
    const NvccOption* best = nullptr;
    std::size_t longest = 0;
    for (const NvccOption& option : nvcc_options())
        if (const std::size_t length = match(option, word); length > longest) {
            best = &option;
            longest = length;
        }
    return best;
}

bool takes_next_word(const NvccOption& option, std::string_view word) {
    return option.value != OptionValue::none && match(option, word) == word.size();
}

bool is_cuda_file(std::string_view name) { return std::filesystem::path(name).extension() == ".cu"; }

std::vector<std::string> words_about_kernels(std::span<const std::string> words) {
    constexpr std::string_view kDrivers[] = {"-G", "-ccbin", "-x", "-rdc"};
    constexpr std::string_view kOthers[] = {"-arch", "-gencode",  "-code",  "-lineinfo",  "-t",       "-split-compile",
                                            "-keep", "-keep-dir", "-clean", "-res-usage", "-Xnvlink", "-dlto"};
    const auto is_among = [](std::string_view name, auto& names) {
        return std::ranges::find(names, name) != std::end(names);
    };
    std::vector<std::string> kept;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const NvccOption* const option = is_option(words[at]) ? find_nvcc_option(words[at]) : nullptr;
        if (!option) continue;
        const bool two = takes_next_word(*option, words[at]) && at + 1 < words.size();
        const bool about = option->use == OptionUse::preprocess || option->use == OptionUse::compile ||
                           option->use == OptionUse::words ||
                           (option->use == OptionUse::driver && is_among(option->name, kDrivers)) ||
                           (option->use == OptionUse::noted && !is_among(option->name, kOthers));
        if (about) kept.insert(kept.end(), words.begin() + at, words.begin() + at + (two ? 2 : 1));
        if (two) ++at;
    }
    return kept;
}

BuildRequest read_nvcc_options(std::span<const std::string> words) { return Reader(words).read(); }

}  // namespace lanework
