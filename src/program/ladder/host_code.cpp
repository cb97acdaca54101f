// Handlers stay in place: changing them for each call costs more than a short launch. The simt device has its own while
// kernels run.
#include "src/program/ladder/host_code.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "src/core/exit_status.hpp"

namespace lanework {
namespace {

struct Named {
    int signal;
    const char* what;
};
constexpr std::array kCrashes = {Named{SIGSEGV, "a segmentation fault"}, Named{SIGBUS, "a bus error"},
                                 Named{SIGFPE, "a division by zero"}, Named{SIGILL, "an illegal instruction"},
                                 Named{SIGABRT, "abort()"}};

/// A copy that no destructor ends; "" where no code of a user's runs.
char running[4096] = "";
pid_t process = 0;

void say(const char* what) {
    constexpr const char* kAdvice = "; `lanework judge` makes a verdict of that\n";
    for (const char* text :
         {"lanework: ", static_cast<const char*>(running), ": its host code ended the program: ", what, kAdvice})
        if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void crashed(int signal) {
    if (running[0] != '\0' && process == getpid())
        for (const Named& each : kCrashes)
            if (each.signal == signal) say(each.what);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void exited() {
    if (running[0] == '\0' || process != getpid()) return;
    say("it called exit()");
    _exit(exit_status::wrong);
}

}  // namespace

void HostCode::watch() {
    if (process != 0) return;
    process = getpid();
    std::atexit(exited);
    struct sigaction action {};
    action.sa_handler = crashed;
    action.sa_flags = SA_NODEFER | SA_RESETHAND;
    for (const Named& each : kCrashes) {
        struct sigaction before {};
        sigaction(each.signal, nullptr, &before);
        if (before.sa_handler == SIG_DFL) sigaction(each.signal, &action, nullptr);
    }
}

HostCode::HostCode(const std::string& file) { std::strncpy(running, file.c_str(), sizeof running - 1); }

HostCode::~HostCode() { running[0] = '\0'; }

}  // namespace lanework
