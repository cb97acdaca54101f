// Signals that end the program. A handler may do next to nothing, so what is to be kept is kept by a thread that waits
// for a byte from the handler.
#include "src/cli/interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "src/core/same_signal.hpp"
#include "src/profile/child_process.hpp"

namespace lanework {
namespace {

std::atomic<int> holding{0};
std::atomic<int> held{0};
/// When the first signal came, by signal_clock(); 0: none did.
std::atomic<std::int64_t> first_came{0};
/// Where the handler writes its byte; −1 while nobody waits for it.
std::atomic<int> wake{-1};

/// Of this thread.
thread_local int holds = 0;
thread_local bool is_watcher = false;

constexpr char kSignalled = 's', kOver = 'o';

// Only calls that a signal's handler may make.
void end_by(int signal) {
    constexpr std::string_view kPutRight = "\033[0m\r\033[K";
    if (isatty(STDERR_FILENO)) {
        const ssize_t written = ::write(STDERR_FILENO, kPutRight.data(), kPutRight.size());
        static_cast<void>(written);
    }
    remove_temporary_files();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void end_or_wake(int signal, bool first) {
    const int pipe = wake.load();
    if (pipe < 0 || !first || ::write(pipe, &kSignalled, 1) != 1) end_by(signal);
}

// The signal is noted before it is asked who holds it back: a holder either sees it or is seen.
void on_signal(int signal) {
    const int error = errno;
    const std::int64_t now = signal_clock();
    std::int64_t before = 0;
    const bool first = first_came.compare_exchange_strong(before, now);
    if (first || now - before >= kSameSignal) {
        held = signal;
        if (holding.load() == 0) end_or_wake(signal, first);
    }
    errno = error;
}

void let_go() {
    if (--holding > 0) return;
    if (const int signal = held.load()) end_or_wake(signal, true);
}

// A file that is opened must not get the number of a standard stream that is closed. Opened the wrong way round, the
// stream refuses all the same.
void occupy_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
            const int opened = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
            static_cast<void>(opened);  // the lowest number that is free: this one
        }
}

}  // namespace

void handle_interrupts() {
    occupy_closed_streams();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        action.sa_handler = on_signal;
        action.sa_flags = SA_RESTART;
        struct sigaction before {};
        // A signal that whoever started us wants ignored (nohup) stays ignored.
        if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signal, &action, nullptr);
    }
    struct sigaction nothing {};  // not ignored: programs that we start would inherit that
    nothing.sa_handler = [](int) {};
    sigaction(SIGPIPE, &nothing, nullptr);
}

void end_by_signal(int signal) {
    end_by(signal);
    std::_Exit(128 + signal);  // where it is blocked
}

HoldInterrupts::HoldInterrupts() {
    if (holds++ > 0) return;
    ++holding;
    if (held.load() == 0 || is_watcher) return;
    let_go();  // the program ends as soon as other threads have let go: nothing is begun any more
    for (;;) pause();
}

HoldInterrupts::~HoldInterrupts() {
    if (--holds > 0) return;
    if (is_watcher)
        --holding;
    else
        let_go();
}

OnInterrupt::OnInterrupt(std::function<void()> keep) : keep_(std::move(keep)) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "a pipe");
    wake_ = ends[1];
    watcher_ = std::thread([this, pipe = ends[0]] { watch(pipe); });
    wake.store(wake_);
}

OnInterrupt::~OnInterrupt() {
    wake.store(-1);
    const ssize_t written = ::write(wake_, &kOver, 1);
    static_cast<void>(written);
    watcher_.join();  // where a signal came first, that is the end
    close(wake_);
}

void OnInterrupt::watch(int pipe) {
    is_watcher = true;
    char byte = kOver;
    while (read(pipe, &byte, 1) < 0 && errno == EINTR) continue;
    if (byte == kSignalled) {
        keep_();
        while (holding.load() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        end_by_signal(held.load());
    }
    close(pipe);
}

}  // namespace lanework
