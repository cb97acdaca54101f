// Running another program: what it reads and prints, and how it ended.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lanework {

/// A program to run.
struct ChildProcess {
    /// Its file and its arguments.
    std::vector<std::string> command;
    /// NAME=VALUE, besides this process's own; these win.
    std::vector<std::string> environment = {};
    /// Files for its standard streams, outputs appended to; an empty one is this process's own.
    std::filesystem::path input = {}, output = {}, errors = {};
    /// Told the child's number once it runs.
    std::function<void(int)> started = {};
};

/// For a tool whose messages are read: in English, in the user's characters.
std::vector<std::string> in_english();

/// Runs it to its end: its exit status, or 128 and its signal. Throws UnavailableError when it cannot be run.
int run_program(const ChildProcess& child);

/// Becomes the program: this process's number, streams and signals are its own from then on. Throws UnavailableError
/// when it cannot be run.
[[noreturn]] void become_program(const std::vector<std::string>& command,
                                 const std::vector<std::string>& environment = {});

}  // namespace lanework
