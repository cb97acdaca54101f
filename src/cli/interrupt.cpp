// Signals that end the program.
#include "src/cli/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

namespace lanework {
namespace {

std::atomic<int> holding{0};
std::atomic<int> held{0};

// Only calls that a signal's handler may make.
void end_by(int signal) {
    constexpr std::string_view kPutRight = "\033[0m\r\033[K";
    if (isatty(STDERR_FILENO)) {
        const ssize_t written = write(STDERR_FILENO, kPutRight.data(), kPutRight.size());
        static_cast<void>(written);
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

// The signal is noted before it is asked who holds it back: a holder either sees it or is seen.
void on_signal(int signal) {
    held.store(signal);
    if (holding.load() == 0) end_by(signal);
}

/// Of this thread.
thread_local int holds = 0;

void let_go() {
    if (--holding > 0) return;
    if (const int signal = held.load()) end_by(signal);
}

}  // namespace

void handle_interrupts() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        action.sa_handler = on_signal;
        action.sa_flags = SA_RESTART;
        struct sigaction before {};
        // A signal that whoever started us wants ignored (nohup) stays ignored.
        if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signal, &action, nullptr);
    }
}

HoldInterrupts::HoldInterrupts() {
    if (holds++ > 0) return;
    ++holding;
    if (held.load() == 0) return;
    let_go();  // the program ends as soon as other threads have let go: nothing is begun any more
    for (;;) pause();
}

HoldInterrupts::~HoldInterrupts() {
    if (--holds == 0) let_go();
}

}  // namespace lanework
