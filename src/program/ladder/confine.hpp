// Keeping code that is not trusted from everything but computing: what a process may do from then on, and use.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace lanework {

struct Confinement {
    /// What holds and what this machine does not offer, by the names of Linux: "seccomp", "landlock".
    std::vector<std::string> holds, missing;
};

struct ConfinementWishes {
    /// Of processor time, beyond what was used so far.
    double seconds = 10;
    /// Of addresses, beyond what is mapped so far.
    std::size_t bytes = std::size_t{4} << 30;
    /// Files and folders that may be read; nothing can be written.
    std::vector<std::filesystem::path> readable;
    /// Told the number of a call of the system that is forbidden, before it is refused with the signal SIGSYS.
    void (*forbidden)(int number) = nullptr;
};

/// For good: this process reads only what is named, writes no file, has no network, starts no thread and no process,
/// and ends with its parent.
Confinement confine(const ConfinementWishes& wishes);

/// "connect", as calls of the system are named; "call 123" for others.
std::string system_call_name(int number);

}  // namespace lanework
