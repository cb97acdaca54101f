// What Ctrl-C and a termination leave behind: a clean terminal line, and no file half-written.
#pragma once

namespace lanework {

/// From now on a signal ends the program by that signal, after the terminal's colours and line were put right.
void handle_interrupts();

/// Holds a signal back while it lives, for the moments between making a temporary file and renaming it; threads may
/// each have one. Where a signal is held back already, making one does not return: the program is about to end.
class HoldInterrupts {
public:
    HoldInterrupts();
    HoldInterrupts(const HoldInterrupts&) = delete;
    HoldInterrupts& operator=(const HoldInterrupts&) = delete;
    ~HoldInterrupts();
};

}  // namespace lanework
