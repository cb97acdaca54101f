// Tells Lanework's own options, which the command knows, from those of a compiler, which it does not.
#include "src/cli/program_words.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <lanework/registry.hpp>
#include <span>

#include "src/program/nvcc_options.hpp"

namespace lanework {
namespace {

constexpr std::string_view kEnd = "--";

/// The command's own option that the word is; null for none.
const CLI::Option* own_option(const CLI::App& command, const std::string& word) {
    if (!word.starts_with("-") || word == kEnd) return nullptr;
    return command.get_option_no_throw(word.substr(0, word.find('=')));
}

bool is_executable_file(const std::string& word) {
    std::error_code error;
    return word.find('/') != word.npos && std::filesystem::is_regular_file(word, error) &&
           access(word.c_str(), X_OK) == 0;
}

/// Code that is not CUDA's, which is refused as such; no rung has such a name.
bool is_other_code(const std::string& word) {
    const std::string extension = std::filesystem::path(word).extension().string();
    std::error_code error;
    return (extension == ".ptx" || extension == ".cubin" || extension == ".fatbin" || extension == ".py") &&
           std::filesystem::is_regular_file(word, error);
}

/// Whether an `explain`, `profile` or `report` with these words behind it is about a program rather than a rung. What
/// an option of the command's own is given is no program: --kernel mine.cu is one kernel for a ladder.
bool names_program(const CLI::App& command, std::span<const std::string> words) {
    for (std::size_t i = 0; i < words.size() && words[i] != kEnd; ++i) {
        const CLI::Option* const option = own_option(command, words[i]);
        const bool value = option && option->get_expected_min() > 0 && words[i].find('=') == std::string::npos;
        if (value)
            ++i;
        else if (!option && (is_cuda_file(words[i]) || is_executable_file(words[i]) || is_other_code(words[i])))
            return true;
    }
    return false;
}

/// A file that Lanework reads or writes itself, and no compiler takes.
bool is_no_source(const std::string& word) {
    const std::string extension = std::filesystem::path(word).extension().string();
    return extension == ".json" || extension == ".md" || extension == ".html";
}

/// What `report` runs beside a program: an operation, a rung, or a folder, none of which a compiler takes.
bool names_ladder(const std::string& word) {
    std::error_code error;
    const std::string name = word.substr(0, word.find('/'));
    const auto is_named = [&](const Operation* operation) { return operation->name == name; };
    if (std::ranges::any_of(operations(), is_named)) return !std::filesystem::is_regular_file(word, error);
    return std::filesystem::is_directory(word, error);
}

/// The place of the command among the words; their number where no command that runs programs was named.
std::size_t find_command(const CLI::App& app, const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (const CLI::Option* option = own_option(app, words[i])) {
            if (option->get_expected_max() > 0 && words[i].find('=') == std::string::npos) ++i;
            continue;
        }
        const bool runs = words[i] == "run" || words[i] == "check" || words[i] == "cc" || words[i] == "explain" ||
                          words[i] == "profile" || words[i] == "report";
        return runs ? i : words.size();
    }
    return words.size();
}

/// The option of the command, or of one below it; null for none.
const CLI::Option* option_within(const CLI::App& command, const std::string& word) {
    if (const CLI::Option* own = own_option(command, word)) return own;
    for (const CLI::App* inner : command.get_subcommands({}))
        if (const CLI::Option* option = option_within(*inner, word)) return option;
    return nullptr;
}

const CLI::App* find_subcommand(const CLI::App& app, const std::string& name) {
    for (const CLI::App* command : app.get_subcommands({}))
        if (command->get_name() == name) return command;
    return nullptr;
}

/// Whether the words before `at` are options of the command that stands there, with their values.
bool are_options_of(const CLI::App& command, const std::vector<std::string>& words, std::size_t at) {
    std::size_t i = 0;
    while (i < at) {
        const CLI::Option* option = option_within(command, words[i]);
        if (!option) return false;
        const bool value = option->get_items_expected_min() > 0 && words[i].find('=') == std::string::npos;
        i += value ? 2 : 1;
        // What may be left out is the word behind the option where that is neither another one nor the command.
        if (option->get_items_expected_min() == 0 && option->get_items_expected_max() > 0 && i < at &&
            !words[i].starts_with("-"))
            ++i;
    }
    return i == at;
}

}  // namespace

void put_options_behind_command(const CLI::App& app, std::vector<std::string>& words) {
    if (words.empty() || !words.front().starts_with("-")) return;
    for (std::size_t at = 1; at < words.size() && words[at - 1] != kEnd; ++at) {
        const CLI::App* command = find_subcommand(app, words[at]);
        if (!command || !are_options_of(*command, words, at)) continue;
        const auto first = words.begin(), named = first + static_cast<std::ptrdiff_t>(at);
        // The program's own arguments stay last.
        std::rotate(first, named, std::find(named, words.end(), kEnd));
        return;
    }
}

ProgramWords take_program_words(CLI::App& app, std::vector<std::string>& words) {
    ProgramWords taken;
    const std::size_t at = find_command(app, words);
    if (at == words.size()) return taken;
    const bool report = words[at] == "report", explain = words[at] == "explain";
    const CLI::App& command = *app.get_subcommand(words[at]);
    if ((explain || report || words[at] == "profile") && !names_program(command, std::span(words).subspan(at + 1)))
        return taken;
    std::vector<std::string> own(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    for (std::size_t i = at + 1; i < words.size(); ++i) {
        if (words[i] == kEnd) {
            taken.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            break;
        }
        if (const CLI::Option* option = own_option(command, words[i])) {
            own.push_back(words[i]);
            const bool optional = option->get_expected_min() == 0;
            const bool more =
                option->get_expected_max() > 0 && words[i].find('=') == std::string::npos && i + 1 < words.size();
            // What may be left out is taken when it can be no file to build.
            if (more && (!optional || words[i + 1] == "-" || is_no_source(words[i + 1]))) own.push_back(words[++i]);
            continue;
        }
        if (report && (is_no_source(words[i]) || names_ladder(words[i]))) {  // beside the program
            own.push_back(words[i]);
            continue;
        }
        taken.build.push_back(words[i]);
        const NvccOption* const option = words[i].starts_with("-") ? find_nvcc_option(words[i]) : nullptr;
        if (option && takes_next_word(*option, words[i]) && i + 1 < words.size()) taken.build.push_back(words[++i]);
    }
    if (explain) own.push_back("FILE");  // stands for OP, which has to be there
    words = std::move(own);
    return taken;
}

}  // namespace lanework
