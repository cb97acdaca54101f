// What signals leave behind: a clean terminal line, no file half-written, and what was finished.
#pragma once

#include <functional>
#include <thread>

namespace lanework {

/// From now on Ctrl-C, a termination and a hang-up end the program by that signal, after the terminal's colours and
/// line were put right. A reader that is gone is an error of writing to it. Standard streams that were closed stay
/// unusable.
void handle_interrupts();

/// Ends the program by this signal.
[[noreturn]] void end_by_signal(int signal);

/// Holds a signal back while it lives, for the moments between making a temporary file and renaming it; threads may
/// each have one. Where a signal is held back already, making one does not return: the program is about to end.
class HoldInterrupts {
public:
    HoldInterrupts();
    HoldInterrupts(const HoldInterrupts&) = delete;
    HoldInterrupts& operator=(const HoldInterrupts&) = delete;
    ~HoldInterrupts();
};

/// While it lives, the first signal has `keep` called on a thread of its own before the program ends, whatever the
/// other threads are busy with; a second one ends it at once, unless it is the first once more (kSameSignal). At most
/// one lives at a time.
class OnInterrupt {
public:
    explicit OnInterrupt(std::function<void()> keep);
    OnInterrupt(const OnInterrupt&) = delete;
    OnInterrupt& operator=(const OnInterrupt&) = delete;
    ~OnInterrupt();

private:
    void watch(int pipe);

    std::function<void()> keep_;
    int wake_ = -1;
    std::thread watcher_;
};

}  // namespace lanework
