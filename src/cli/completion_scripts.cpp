// Writes completion scripts. Names of operations and rungs are asked from the program when they are needed.
#include "src/cli/completion_scripts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanework {
namespace {

constexpr const char* kOperations = "$(lanework list --names 2>/dev/null | grep -v /)";
constexpr const char* kSelections = "$(lanework list --names 2>/dev/null)";

// A command with its path: "lanework image sobel" is {"image", "sobel"}.
struct Path {
    std::vector<std::string> names;
    const CommandShape* command;
};

void collect(const CommandShape& command, std::vector<std::string> names, std::vector<Path>& paths) {
    paths.push_back({names, &command});
    for (const CommandShape& inner : command.commands) {
        names.push_back(inner.name);
        collect(inner, names, paths);
        names.pop_back();
    }
}

std::vector<Path> paths_of(const CommandShape& program) {
    std::vector<Path> paths;
    collect(program, {}, paths);
    return paths;
}

std::vector<std::string> option_names(const CommandShape& command) {
    std::vector<std::string> names;
    for (const OptionShape& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

std::string command_names(const CommandShape& command) {
    std::vector<std::string> names;
    for (const CommandShape& inner : command.commands) names.push_back(inner.name);
    return fmt::format("{}", fmt::join(names, " "));
}

// What the shell offers for a word of this command, as text inside double quotes.
std::string words_of(const CommandShape& command) {
    switch (command.words) {
        case Words::operation: return kOperations;
        case Words::selection: return kSelections;
        case Words::choices: return fmt::format("{}", fmt::join(command.choices, " "));
        case Words::none:
        case Words::file: return command_names(command);
    }
    return {};
}

// One case of bash: `previous` is the word before the one to complete.
std::string bash_values(const Path& path) {
    std::string text;
    for (const OptionShape& option : path.command->options) {
        if (!option.takes_value) continue;
        const std::string action =
            option.value_is_file ? fmt::format("COMPREPLY=($(compgen -f -- \"$word\")); {}",
                                               option.value_may_be_left_out ? "" : "return")
            : option.choices.empty()
                ? "return"
                : fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return", fmt::join(option.choices, " "));
        text += fmt::format("                {}) {} ;;\n", fmt::join(option.names, "|"), action);
    }
    return text;
}

std::string bash_case(const Path& path) {
    const std::string key = fmt::format("{}", fmt::join(path.names, " "));
    std::string text =
        fmt::format("        \"{}\")\n            case $previous in\n{}            esac\n", key, bash_values(path));
    text += fmt::format("            if [[ $word == -* ]]; then words_to_offer=\"{}\"\n",
                        fmt::join(option_names(*path.command), " "));
    text += fmt::format("            else words_to_offer=\"{}\"; {}fi ;;\n", words_of(*path.command),
                        path.command->words == Words::file ? "COMPREPLY=($(compgen -f -- \"$word\")); " : "");
    return text;
}

// Text inside single quotes of zsh and fish.
std::string single_quoted(std::string_view text) {
    std::string result;
    for (const char byte : text) result += byte == '\'' ? std::string("’") : std::string(1, byte);
    return result;
}

// Brackets and colons end a description for zsh's _arguments.
std::string zsh_help(std::string_view text) {
    std::string result;
    for (const char byte : single_quoted(text)) {
        if (byte == '[' || byte == ']' || byte == ':') result += '\\';
        result += byte;
    }
    return result;
}

std::string zsh_value(const OptionShape& option) {
    if (!option.takes_value) return {};
    const std::string colon = option.value_may_be_left_out ? "::" : ":";
    if (option.value_is_file) return colon + "file:_files";
    if (option.choices.empty()) return colon + "value: ";
    return fmt::format("{}value:({})", colon, fmt::join(option.choices, " "));
}

std::string zsh_words(const CommandShape& command) {
    switch (command.words) {
        case Words::operation: return "'*:operation:_lanework_operations'";
        case Words::selection: return "'*:selection:_lanework_selections'";
        case Words::choices: return fmt::format("'1:shell:({})'", fmt::join(command.choices, " "));
        case Words::file: return "'*:file:_files'";
        case Words::none: break;
    }
    return command.commands.empty() ? "" : "'1:command:->command' '*::words:->words'";
}

std::string zsh_function(const Path& path) {
    const std::string name = fmt::format("_lanework{}{}", path.names.empty() ? "" : "_", fmt::join(path.names, "_"));
    std::string text = fmt::format("{}() {{\n    local state line curcontext=\"$curcontext\"\n    _arguments -C", name);
    for (const OptionShape& option : path.command->options)
        for (const std::string& each : option.names)
            text += fmt::format(" \\\n        '{}[{}]{}'", each, zsh_help(option.help), zsh_value(option));
    const std::string words = zsh_words(*path.command);
    if (!words.empty()) text += " \\\n        " + words;
    if (!path.command->commands.empty()) {
        text += "\n    case $state in\n    command)\n        local -a commands=(";
        for (const CommandShape& inner : path.command->commands)
            text += fmt::format("\n            '{}:{}'", inner.name, zsh_help(inner.help));
        text += fmt::format(
            ")\n        _describe command commands ;;\n    words)\n        (( $+functions[{0}_${{line[1]}}] )) && "
            "{0}_${{line[1]}} ;;\n    esac",
            name);
    }
    return text + "\n}\n\n";
}

// A condition of fish: these commands were typed, and none that are further inside.
std::string fish_condition(const Path& path) {
    if (path.names.empty()) return "__fish_use_subcommand";
    std::string condition;
    for (const std::string& name : path.names)
        condition += fmt::format("{}__fish_seen_subcommand_from {}", condition.empty() ? "" : "; and ", name);
    const std::string inner = command_names(*path.command);
    return inner.empty() ? condition : condition + "; and not __fish_seen_subcommand_from " + inner;
}

std::string fish_option(const OptionShape& option) {
    std::string text;
    for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (option.value_is_file)
        text += option.value_may_be_left_out ? " -F" : " -r -F";
    else if (option.takes_value)
        text += option.choices.empty() ? " -x" : fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
    return text + fmt::format(" -d '{}'", single_quoted(option.help));
}

std::string fish_words(const CommandShape& command) {
    switch (command.words) {
        case Words::operation: return " -a '(lanework list --names | string match -v \"*/*\")'";
        case Words::selection: return " -a '(lanework list --names)'";
        case Words::choices: return fmt::format(" -a '{}'", fmt::join(command.choices, " "));
        case Words::file: return " -F";
        case Words::none: break;
    }
    return {};
}

}  // namespace

std::string bash_completion(const CommandShape& program) {
    std::string text =
        "# Completions of lanework for bash: written by `lanework completion bash`.\n"
        "_lanework() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path=\"\" words_to_offer=\"\"\n"
        "    local typed\n"
        "    COMPREPLY=()\n"
        "    for typed in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
        "        case \"${path:+$path }$typed\" in\n";
    const auto paths = paths_of(program);
    std::vector<std::string> keys;
    for (const Path& path : paths)
        if (!path.names.empty()) keys.push_back(fmt::format("\"{}\"", fmt::join(path.names, " ")));
    text +=
        fmt::format("        {}) path=\"${{path:+$path }}$typed\" ;;\n        esac\n    done\n", fmt::join(keys, "|"));
    text += "    case $path in\n";
    for (const Path& path : paths) text += bash_case(path);
    return text +
           "    esac\n"
           "    COMPREPLY+=($(compgen -W \"$words_to_offer\" -- \"$word\"))\n"
           "}\n"
           "complete -o filenames -F _lanework lanework\n";
}

std::string zsh_completion(const CommandShape& program) {
    std::string text =
        "#compdef lanework\n"
        "# Completions of lanework for zsh: written by `lanework completion zsh`.\n"
        "_lanework_selections() { compadd -- ${(f)\"$(lanework list --names 2>/dev/null)\"} }\n"
        "_lanework_operations() { compadd -- ${${(f)\"$(lanework list --names 2>/dev/null)\"}:#*/*} }\n\n";
    for (const Path& path : paths_of(program)) text += zsh_function(path);
    return text + "if [[ $funcstack[1] == _lanework ]]; then _lanework \"$@\"; else compdef _lanework lanework; fi\n";
}

std::string fish_completion(const CommandShape& program) {
    std::string text =
        "# Completions of lanework for fish: written by `lanework completion fish`.\n"
        "complete -c lanework -f\n";
    for (const Path& path : paths_of(program)) {
        const std::string start = fmt::format("complete -c lanework -n '{}'", fish_condition(path));
        for (const CommandShape& inner : path.command->commands)
            text += fmt::format("{} -a {} -d '{}'\n", start, inner.name, single_quoted(inner.help));
        for (const OptionShape& option : path.command->options) text += start + fish_option(option) + "\n";
        if (const std::string words = fish_words(*path.command); !words.empty()) text += start + words + "\n";
    }
    return text;
}

}  // namespace lanework
