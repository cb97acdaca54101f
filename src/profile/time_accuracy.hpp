// The model of time held against recorded times: demands that `time_model record` traced, each beside the time that
// a GPU took, in two halves of the ladders.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "src/trace/analyse/time_model.hpp"

namespace lanework {

struct TimedRun {
    /// "transpose/padded_tile int32 4096x1000x1"
    std::string key;
    std::string operation;
    double measured_s = 0;
    /// No GPU is faster.
    double least_s = 0;
    std::vector<Demand> demands;
    /// Whether the machine code was followed.
    bool of_machine_code = false;
    /// Whether it is of the first half, which `time_model fit` tries parameters on.
    bool seen = false;
};

/// The runs of a file of `time_model record`: as written, or those that have machine code. Which half of the
/// operations is seen was drawn by lot, once: the names are in the source. Throws what nlohmann throws of a file that
/// is none.
std::vector<TimedRun> read_timed_runs(const std::filesystem::path& file, bool machine_code);

/// On an H200.
double predicted_seconds(const TimedRun& run, const TimeParameters& parameters = {});

struct TimeAccuracy {
    std::size_t times = 0, pairs = 0;
    /// |predicted ÷ measured − 1|
    double median_error = 0;
    /// Shares: of times within ±35% and within the band that is shown, of pairs of rungs on one problem whose times
    /// differ by more than a tenth and whose order is right.
    double within_35 = 0, in_band = 0, ranked = 0;
    /// The factor that nine of ten are within.
    double band_of_90 = 0;
};
TimeAccuracy time_accuracy(const std::vector<TimedRun>& runs, bool seen, const TimeParameters& parameters = {});

/// Markdown, with the pictures' file beside it.
std::string time_accuracy_page(const std::filesystem::path& file);
/// Predicted against measured times, both on a logarithmic scale, with the band.
std::string time_accuracy_svg(const std::vector<TimedRun>& runs);

}  // namespace lanework
