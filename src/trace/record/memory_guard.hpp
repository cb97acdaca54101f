// Pages that the program's own code may not touch for a while: whoever does is told of, and goes on.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace lanework {

/// One for the process: it takes the signal of an access that is not allowed.
class MemoryGuard {
public:
    /// Whole pages. `readable`: they may be read all the same.
    struct Range {
        std::uint64_t begin, end;
        bool readable;

        bool operator==(const Range&) const = default;
    };

    /// `touched` is called in the thread that is about to touch a guarded byte, by which time nothing is guarded.
    /// An access by the device's code, which the program called, opens everything and is not told.
    explicit MemoryGuard(std::function<void(std::uint64_t address, bool writes)> touched);
    ~MemoryGuard();
    MemoryGuard(const MemoryGuard&) = delete;
    MemoryGuard& operator=(const MemoryGuard&) = delete;

    /// These are guarded from now on, and nothing else.
    void guard(std::vector<Range> ranges);
    void open() { guard({}); }
    /// The program may have a handler of its own for such signals by now: then nothing is guarded.
    void look_at_handlers();

private:
    static void handle(int signal, siginfo_t* info, void* state);
    /// False for an address that is not guarded.
    bool take(std::uint64_t address, const void* state);

    std::function<void(std::uint64_t, bool)> touched_;
    std::mutex mutex_;
    std::vector<Range> ranges_, opened_;
    bool handled_by_program_ = false;
};

}  // namespace lanework
