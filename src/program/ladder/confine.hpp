// Keeping code that is not trusted from everything but computing: what a process may do from then on, and use.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
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
    /// Files and folders that may be read.
    std::vector<std::filesystem::path> readable;
    /// Folders that may be written, for run_confined() alone.
    std::vector<std::filesystem::path> writable = {};
    /// Told the number of a call of the system that is forbidden, before it is refused with the signal SIGSYS.
    void (*forbidden)(int number) = nullptr;
};

/// For good: this process reads only what is named, writes no file, has no network, starts no thread and no process,
/// and ends with its parent.
Confinement confine(const ConfinementWishes& wishes);

/// What a confined function returned; `late` where it took longer than it may, or crashed.
struct ConfinedText {
    std::string text;
    bool late = false;
};
/// Calls the function in a process of its own and waits. It and the programs that it starts read and run what is
/// named, write into `writable` alone, and have so much processor time each and ten times as long by the clock. No
/// other thread may run. Throws UnavailableError where there is no process to be had.
ConfinedText run_confined(const ConfinementWishes& wishes, const std::function<std::string()>& work);

/// "connect", as calls of the system are named; "call 123" for others.
std::string system_call_name(int number);

}  // namespace lanework
