// A program under gdb: which breakpoints are asked for, and gdb's command line.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// What `--break` asks for: KERNEL, KERNEL:LINE or FILE:LINE, for every thread or for those of a block, a thread, or
/// both.
struct ThreadBreak {
    using Index = std::array<long, 3>;

    /// As it was typed.
    std::string text;
    /// One of the two.
    std::string function, file;
    /// 0: where the function begins.
    int line = 0;
    std::optional<Index> block, thread;
};

/// Reads "kernel:12@block(1,0),thread(3)"; coordinates that are left out are 0. Throws UsageError.
ThreadBreak read_break(const std::string& text);

struct DebuggedRun {
    /// The program's file and its arguments.
    std::vector<std::string> command;
    /// NAME=VALUE, for the program.
    std::vector<std::string> environment;
    std::vector<ThreadBreak> breaks;
    /// Somebody is at gdb's prompt; else every stop is reported on the standard error, and the program goes on.
    bool prompt = false;
    /// How many stops of each breakpoint are reported where nobody is at the prompt.
    int stops = 10;
};

/// gdb's file. Throws UnavailableError where there is none that can do it.
std::filesystem::path find_gdb();

/// Becomes gdb, which runs the program. `headers` are the simt device's. Its exit status is the program's where that
/// ends.
[[noreturn]] void become_debugger(const std::filesystem::path& gdb, const std::filesystem::path& headers,
                                  const DebuggedRun& run);

}  // namespace lanework
