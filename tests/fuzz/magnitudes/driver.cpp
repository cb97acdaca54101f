// Calls public functions with numbers that break programs, for so many seconds of the processor: every call answers
// rightly or throws one of the documented exceptions with one line. Anything else, a call that takes the processor
// thirty seconds included, ends it. Usage: lanework-fuzz-magnitudes SECONDS [SEED [TARGET]]; with 0 seconds one call of
// that seed.
#include <fmt/format.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>

#include <cstring>
#include <lanework/error.hpp>

#include "tests/fuzz/magnitudes/draw.hpp"
#include "tests/processor_seconds.hpp"

namespace lanework::magnitudes {
namespace {

constexpr unsigned kPatience = 30;    // seconds of the processor, whatever else runs: sanitizers are slow
constexpr unsigned kForgotten = 600;  // seconds: it waits for what never comes

struct Tally {
    Fuzzed target;
    std::uint64_t answered = 0, refused = 0;
};

char running[200];  // what a report of a sanitizer does not say

void say_what_runs() { static_cast<void>(!write(STDERR_FILENO, running, std::strlen(running))); }

void end_by_alarm(int which) {
    say_what_runs();
    const char* const why = which == SIGALRM ? "it has waited for ten minutes\n" : "it takes more than 30 seconds\n";
    static_cast<void>(!write(STDERR_FILENO, why, std::strlen(why)));
    abort();  // with the stack
}

/// From now on; 0 seconds are for ever.
void be_patient(unsigned processor, unsigned waiting) {
    const itimerval time{{}, {static_cast<time_t>(processor), 0}};
    setitimer(ITIMER_PROF, &time, nullptr);
    alarm(waiting);
}

/// Throws for everything that a function must not throw.
void call(Tally& tally, std::uint64_t seed) {
    *fmt::format_to_n(running, sizeof running - 1, "in {}, seed {}:\n", tally.target.name, seed).out = 0;
    be_patient(kPatience, kForgotten);
    Draw draw(seed);
    const auto refuse = [&](const std::exception& error) {
        if (std::strchr(error.what(), '\n')) throw WrongAnswer(std::string("the message has lines: ") + error.what());
        ++tally.refused;
    };
    try {
        tally.target.call(draw);
        ++tally.answered;
    } catch (const UsageError& error) {
        refuse(error);
    } catch (const UnavailableError& error) {
        refuse(error);
    } catch (const DeviceError& error) {
        refuse(error);
    } catch (const FileError& error) {
        refuse(error);
    }
    be_patient(0, 0);
}

std::vector<Tally> tallies(std::string_view only) {
    std::vector<Tally> all;
    for (const auto targets :
         {array_targets(), image_targets(), detection_targets(), particle_targets(), typed_targets()})
        for (const Fuzzed& target : targets)
            if (only.empty() || only == target.name) all.push_back({target});
    return all;
}

int run(int seconds, std::uint64_t seed, std::string_view only) {
    std::vector<Tally> all = tallies(only);
    if (all.empty()) return fmt::print(stderr, "there is no target `{}`\n", only), 2;
    const double end = processor_seconds() + seconds;
    std::uint64_t calls = 0;
    do {
        for (Tally& tally : all) call(tally, seed), ++calls;
        ++seed;
    } while (processor_seconds() < end);
    bool all_answer = true;
    for (const Tally& tally : all) {
        fmt::print("{:24} {:9} answered {:9} refused\n", tally.target.name, tally.answered, tally.refused);
        all_answer &= tally.answered > 0 || seconds == 0;
    }
    fmt::print("{} calls, the next seed is {}\n", calls, seed);
    return all_answer ? 0 : (fmt::print(stderr, "a target has never answered: it tests nothing\n"), 1);
}

}  // namespace
}  // namespace lanework::magnitudes

extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

int main(int count, char** arguments) {
    using namespace lanework::magnitudes;
    for (const int alarm : {SIGALRM, SIGPROF}) signal(alarm, end_by_alarm);
    signal(SIGABRT, [](int) { say_what_runs(); });  // of the undefined-behaviour sanitizer
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(say_what_runs);
    if (count < 2) return std::fputs("usage: lanework-fuzz-magnitudes SECONDS [SEED [TARGET]]\n", stderr), 2;
    try {
        return run(std::atoi(arguments[1]), count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1,
                   count > 3 ? arguments[3] : "");
    } catch (const std::exception& error) {
        say_what_runs();
        std::fprintf(stderr, "%s: %s\n", typeid(error).name(), error.what());
        return 1;
    }
}
