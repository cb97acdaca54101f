// Reads the words by nvcc's own table of options.
#include "src/program/ladder/build_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>

#include "src/program/build.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// Options whose value is a path.
constexpr std::string_view kPaths[] = {"-I", "-isystem", "-include", "-L"};

std::string whole(const fs::path& folder, const std::string& path) {
    return (folder / fs::path(path)).lexically_normal().string();
}

bool within(const fs::path& path, const fs::path& folder) {
    const fs::path below = path.lexically_relative(folder);
    return !below.empty() && *below.begin() != "..";
}

/// What stands behind an option's name in its word, or the word behind it.
std::string value_at(const std::vector<std::string>& words, std::size_t& at, const NvccOption& option) {
    const std::string& word = words[at];
    if (!takes_next_word(option, word)) {
        const std::size_t equals = word.find('=');
        return word.starts_with("--") || option.value == OptionValue::separate
                   ? equals == word.npos ? "" : word.substr(equals + 1)
                   : word.substr(option.name.size());
    }
    if (at + 1 == words.size()) throw UsageError(word + " needs a value");
    return words[++at];
}

/// The words with whole paths. Throws UsageError for one that is about more than this file.
std::vector<std::string> with_whole_paths(const std::vector<std::string>& words, const fs::path& folder) {
    std::vector<std::string> result;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string& word = words[at];
        if (!word.starts_with("-")) {
            result.push_back(whole(folder, word));
            continue;
        }
        const NvccOption* const option = find_nvcc_option(word);
        if (option && option->use == OptionUse::driver && option->name != "-g" && option->name != "-G")
            throw UsageError(fmt::format("{} decides what is built, and that is a rung", word));
        result.push_back(word);
        if (!option || option->value == OptionValue::none) continue;
        if (std::ranges::find(kPaths, option->name) == std::end(kPaths)) {
            if (takes_next_word(*option, word) && at + 1 < words.size()) result.push_back(words[++at]);
            continue;
        }
        const std::string path = whole(folder, value_at(words, at, *option));
        if (option->value == OptionValue::joined) {
            result.back() = std::string(option->name) + path;
        } else {
            result.back() = option->name;
            result.push_back(path);
        }
    }
    return result;
}

template <class T>
void put_behind(std::vector<T>& to, const std::vector<T>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

void BuildWords::append(const BuildWords& more) {
    put_behind(words, more.words);
    put_behind(request.inputs, more.request.inputs);
    put_behind(request.languages, more.request.languages);
    put_behind(request.preprocess, more.request.preprocess);
    put_behind(request.compile, more.request.compile);
    put_behind(request.noted, more.request.noted);
}

std::vector<fs::path> BuildWords::sources() const {
    std::vector<fs::path> files;
    for (const std::string& input : request.inputs)
        if (is_source(input, "")) files.emplace_back(input);
    return files;
}

std::vector<fs::path> BuildWords::binaries() const {
    std::vector<fs::path> files;
    for (const std::string& input : request.inputs)
        if (!input.starts_with("-") && !is_source(input, "")) files.emplace_back(input);
    return files;
}

std::vector<fs::path> BuildWords::header_folders() const { return include_folders(request); }

std::vector<fs::path> BuildWords::library_folders() const {
    std::vector<fs::path> folders;
    for (const std::string& input : request.inputs)
        if (input.starts_with("-L")) folders.emplace_back(input.substr(2));
    for (const fs::path& file : binaries()) folders.push_back(file.parent_path());
    return folders;
}

std::string BuildWords::beyond_own_sources(const fs::path& folder) const {
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string& word = words[at];
        const bool option = word.starts_with("-");
        const fs::path path = option && word.starts_with("-I") ? word.substr(2) : word;
        if (word.starts_with("-D") || word.starts_with("-std=")) continue;
        if ((word.starts_with("-I") || (!option && is_cuda_file(word))) && within(path, folder)) continue;
        return option ? word : path.lexically_relative(folder).string();
    }
    return {};
}

std::vector<std::string> split_build_words(std::string_view text) {
    std::vector<std::string> words;
    char quote = 0;
    bool open = false;
    for (const char c : text) {
        if (quote == 0 && (c == ' ' || c == '\t')) {
            open = false;
            continue;
        }
        if (!open) words.emplace_back();
        open = true;
        if (c == quote)
            quote = 0;
        else if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else
            words.back() += c;
    }
    if (quote != 0) throw UsageError(fmt::format("`{}`: a quote is not closed", text));
    return words;
}

BuildWords read_build_words(const std::vector<std::string>& words, const fs::path& folder) {
    BuildWords result{.words = with_whole_paths(words, folder), .request = {}};
    result.request = read_nvcc_options(result.words);
    return result;
}

}  // namespace lanework
