// The words of a command line that are about a program of the user's: its files, nvcc's options, and what follows `--`.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lanework {

struct ProgramWords {
    /// Files and nvcc's options, as they came.
    std::vector<std::string> build;
    /// What follows `--`: the program's own arguments.
    std::vector<std::string> arguments;
    /// What reports call the program, where that is not the first of its files.
    std::string title;

    bool empty() const { return build.empty(); }
};

/// Takes those words out of a command line that runs a program (run, check, cc, and explain, profile and report of a
/// file); what is left is Lanework's own. nvcc's options have single dashes and values that look like files, which no
/// other command has.
ProgramWords take_program_words(CLI::App& app, std::vector<std::string>& words);

/// Options that stand before the command that they belong to go behind it: "--device cpu climb add" is "climb add
/// --device cpu".
void put_options_behind_command(const CLI::App& app, std::vector<std::string>& words);

}  // namespace lanework
