// Completion scripts for shells, written from the shape of the command line.
#pragma once

#include <string>
#include <vector>

namespace lanework {

struct OptionShape {
    /// As they are typed: "-d", "--device".
    std::vector<std::string> names;
    std::string help;
    bool takes_value = false;
    bool value_may_be_left_out = false;
    /// What can follow; none where it is a file or free text.
    std::vector<std::string> choices;
    bool value_is_file = false;
};

/// What the words of a command that are no options stand for.
enum class Words { none, operation, selection, file, choices };

struct CommandShape {
    std::string name, help;
    std::vector<OptionShape> options;
    Words words = Words::none;
    std::vector<std::string> choices;
    std::vector<CommandShape> commands;
};

std::string bash_completion(const CommandShape& program);
std::string zsh_completion(const CommandShape& program);
std::string fish_completion(const CommandShape& program);

}  // namespace lanework
