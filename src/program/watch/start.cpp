// What the library of the simt device does as a program starts: it reads what the environment asks for.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <lanework/error.hpp>
#include <lanework_simt/schedule.hpp>
#include <string>
#include <string_view>
#include <system_error>

#include "src/core/exit_status.hpp"
#include "src/core/same_signal.hpp"
#include "src/gpu/gpus.hpp"
#include "src/program/run_settings.hpp"
#include "src/program/watch/program_watch.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/debugging.hpp"
#include "src/simt/devices.hpp"
#include "src/simt/gpu.hpp"
#include "src/trace/record/source_lines.hpp"

namespace {

static_assert(lanework::kMostDevices == lanework_simt::kMostDevices);

int read_device_count(const char* text) {
    int count = 0;
    const char* const end = text + std::strlen(text);
    const auto read = std::from_chars(text, end, count);
    if (read.ec != std::errc() || read.ptr != end || count < 1 || count > lanework::kMostDevices)
        throw lanework::UsageError(fmt::format("{} is a number of GPUs, 1 to {}, not `{}`", lanework::kDevicesVariable,
                                               lanework::kMostDevices, text));
    return count;
}

/// A GPU would say less: the error's name, to who asks for it.
void tell_failure(const char* sentence, std::uint64_t pc) {
    lanework::SourcePlace place;
    if (pc != 0) place = lanework::SourceLines().find(pc);
    std::error_code unknown;
    const std::string here = std::filesystem::current_path(unknown).string() + "/";
    if (place.file.starts_with(here)) place.file.erase(0, here.size());
    if (place.line != 0)
        std::fprintf(stderr, "lanework: %s:%d: %s\n", place.file.c_str(), place.line, sentence);
    else
        std::fprintf(stderr, "lanework: %s\n", sentence);
}

/// Of a kernel that nobody watches.
void tell_failure_and_check(const char* sentence, std::uint64_t pc, bool bad_access) {
    tell_failure(sentence, pc);
    static std::atomic<bool> told = false;
    if (bad_access && !told.exchange(true))
        std::fputs("lanework: `lanework check` names the access, and the array that it missed\n", stderr);
}

/// Of one that a check had no time for.
void tell_failure_unchecked(const char* sentence, std::uint64_t pc) {
    tell_failure(sentence, pc);
    static std::atomic<bool> told = false;
    if (!told.exchange(true)) std::fputs("lanework: this launch ran unchecked, for which there was no time\n", stderr);
}

/// The program crashed behind a kernel, which may have written over what was the host's.
void say_check(int signal, siginfo_t* info, void*) {
    constexpr std::string_view kAborted =
        "lanework: the program aborted after it had launched kernels; `lanework check` tells whether one of them wrote "
        "out of bounds, has a race, or read what nobody had written\n";
    constexpr std::string_view kCrashed =
        "lanework: the program crashed on the host after it had launched kernels; should one of them write out of "
        "bounds, `lanework check` names it\n";
    const bool sent = info->si_code <= 0;  // by a process, as abort does
    const std::string_view hint = signal == SIGABRT ? kAborted : sent ? std::string_view() : kCrashed;
    if (lanework_simt::has_launched()) [[maybe_unused]]
        const ssize_t written = write(STDERR_FILENO, hint.data(), hint.size());
    std::raise(signal);  // one that was sent does not come again by itself
}

/// The signal then ends the program as ever, when the handler returns. One that has a handler of its own keeps that.
void say_check_at_crashes() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT}) {
        struct sigaction there {};
        if (sigaction(signal, nullptr, &there) != 0 || there.sa_handler != SIG_DFL) continue;
        struct sigaction ours {};
        ours.sa_sigaction = say_check;
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
        sigemptyset(&ours.sa_mask);
        sigaction(signal, &ours, nullptr);
    }
}

std::atomic<lanework::ProgramWatch*> checking{nullptr};

/// Whether a signal is only the one that `first` was, milliseconds later: `timeout` sends it to a program and to its
/// group, and the command line hands on what a terminal may have sent to both.
bool repeats(const siginfo_t& info, std::int64_t first) {
    constexpr std::int64_t kMostFromParent = 2000;
    const bool from_parent = info.si_code == SI_USER && info.si_pid == getppid();
    return lanework::signal_clock() - first < (from_parent ? kMostFromParent : lanework::kSameSignal);
}

/// Ctrl-C: the program is asked to end because it does not, and its user wants to know where it is.
void say_where(int signal, siginfo_t* info, void* state) {
    static std::atomic<std::int64_t> first{0};
    if (first != 0 && repeats(*info, first)) return;
    const auto at = first == 0 ? lanework_simt::interrupted_kernel(state) : std::nullopt;
    if (lanework::ProgramWatch* const watch = checking; at && watch) {
        first = lanework::signal_clock();
        if (watch->ends_soon_by(signal)) return;
    }
    std::signal(signal, SIG_DFL);  // one more ends it, should this not come to its end
    if (at) {
        char text[512];
        std::size_t end = 0;
        const auto add = [&](auto... words) {
            end = std::min(sizeof text - 2,
                           end + static_cast<std::size_t>(std::snprintf(text + end, sizeof text - 1 - end, words...)));
        };
        add("interrupted in %s, launched at %s:%d", at->kernel, at->launched.file, at->launched.line);
        if (at->in_block) add(", in block (%u,%u,%u)", at->block.x, at->block.y, at->block.z);
        if (at->in_thread) add(", thread (%u,%u,%u)", at->thread.x, at->thread.y, at->thread.z);
        if (at->pc != 0) {
            tell_failure(text, at->pc);
        } else {
            text[end] = '\n';
            constexpr char kWho[] = "lanework: ";
            [[maybe_unused]] const bool written =
                write(STDERR_FILENO, kWho, sizeof kWho - 1) > 0 && write(STDERR_FILENO, text, end + 1) > 0;
        }
    }
    std::raise(signal);
}

/// A program that was started with signals ignored, or that has a handler of its own, keeps that.
void say_where_at(int signal) {
    struct sigaction there {};
    if (sigaction(signal, nullptr, &there) != 0 || there.sa_handler != SIG_DFL) return;
    struct sigaction ours {};
    ours.sa_sigaction = say_where;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    sigaction(signal, &ours, nullptr);
}

[[gnu::constructor]] void start() {
    const char* const gpu = std::getenv(lanework::kGpuVariable);
    const char* const devices = std::getenv(lanework::kDevicesVariable);
    const char* const asked = std::getenv(lanework::kWatchVariable);
    try {
        if (gpu && *gpu) lanework_simt::present(lanework::parse_gpu(gpu));
        if (devices && *devices) lanework_simt::present_devices(read_device_count(devices));
        if (!lanework_simt::engine::debugged) say_where_at(SIGINT);
        lanework_simt::tell_long_waits(tell_failure);
        // A check names what nobody wrote; every other run has what a program finds on a GPU that nobody used.
        const bool watched = asked && *asked;
        if (!watched) {
            lanework_simt::give_zeros();
            lanework_simt::excuse_exited_threads();
            lanework_simt::tell_failures(tell_failure_and_check);
            if (!lanework_simt::engine::debugged) say_check_at_crashes();
            return;
        }
        const lanework::WatchSettings settings = lanework::read_watch_settings(asked);
        static auto& watch = *new lanework::ProgramWatch(settings);
        if (watch.checks()) {
            checking = &watch;
            say_where_at(SIGTERM);  // `timeout` sends it
            say_where_at(SIGHUP);
        }
        // Launches that nobody watches do what a run's do; of one that fails nobody else would speak.
        const bool explains = settings.task == lanework::WatchSettings::Task::explain;
        if (explains) {
            lanework_simt::give_zeros();
            lanework_simt::excuse_exited_threads();
        }
        if (explains || settings.seconds != 0) {
            lanework_simt::tell_failures([](const char* sentence, std::uint64_t pc, bool bad_access) {
                if (watch.watched_last()) return;
                if (watch.checks()) return tell_failure_unchecked(sentence, pc);
                tell_failure_and_check(sentence, pc, bad_access);
            });
        }
        std::atexit([] { watch.finish_last(); });
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanework: %s\n", error.what());
        _exit(lanework::exit_status_of(error));
    }
}

}  // namespace
