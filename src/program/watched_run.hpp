// Running a program that is watched, once or under several schedules, and gathering what it found.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/program/watch_settings.hpp"
#include "src/trace/analyse/finding.hpp"

namespace lanework {

struct WatchedRun {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    WatchSettings settings;
    /// GPUs that the program sees.
    int devices = 1;
    /// Further schedules to look for errors under, each a run without output.
    int schedules = 0;
    /// A folder for what the program reports; it stays the caller's.
    std::filesystem::path folder;
    /// Told the number of each process that runs, and 0 behind its end.
    std::function<void(int)> running;
    /// Told of each further schedule before it runs, counted from 1.
    std::function<void(int)> schedule_begins;
};

struct WatchedOutcome {
    /// Of the first run: its exit status, or 128 and its signal.
    int status = 0;
    /// Each once; those of further schedules say which seed brings them out.
    std::vector<Finding> findings;
    std::uint64_t launches = 0, kernels = 0, explained = 0;
    /// Of the explained ones: those of other processes than the one whose explanation is there.
    std::uint64_t unshown = 0;
    /// Of the launches: those that were equal to one that was watched, and were not run again.
    std::uint64_t repeats = 0;
    /// Of the launches: those that began behind the time that a check had.
    std::uint64_t unchecked = 0;
    /// Launches that were still running then: how many of their blocks, of how many, began too late.
    struct CutShort {
        std::string kernel;
        std::uint64_t left_out = 0, blocks = 0;
    };
    std::vector<CutShort> cut_short;
    /// A process that did not come to its end had left something out.
    bool left_out = false;
    /// Further schedules of which something was left unchecked.
    int schedules_cut_short = 0;
    /// Of explained kernels, the largest launch, where it has many times as many threads as the explained one.
    struct Larger {
        std::string kernel;
        std::uint64_t launch = 0, threads = 0, explained_threads = 0;
    };
    std::vector<Larger> larger;
    /// The program said at its end what it had done; one that was killed did not.
    bool ended = false;
    /// SIGINT, SIGTERM or SIGHUP ended the first run or, with 128 and the signal as `status`, a further one.
    bool interrupted = false;
    /// A process was ended by a signal in a launch, and did not come to tell what that had shown.
    bool untold = false;
    /// The first copy to the host in the first run that took bytes which nobody had written: of its bytes the first
    /// such.
    struct CopiedFresh {
        std::string file;
        int line = 0;
        std::uint64_t first = 0, bytes = 0;
    };
    std::optional<CopiedFresh> copied_fresh;
    /// Some of its code can be watched.
    bool instrumented = false;

    bool wrong() const;
    /// Whether nothing was left unchecked for lack of time.
    bool checked_all() const { return unchecked == 0 && cut_short.empty() && schedules_cut_short == 0 && !left_out; }
};

WatchedOutcome run_watched(const WatchedRun& run);

}  // namespace lanework
