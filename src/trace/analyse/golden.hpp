// Recordings of hardware counters, and how ours compare with them.
#pragma once

#include <array>
#include <lanework/measurement.hpp>
#include <span>
#include <string>
#include <vector>

#include "src/gpu/gpus.hpp"
#include "src/trace/analyse/metrics.hpp"

namespace lanework {

/// One launch of a kernel as the hardware counted it.
struct RecordedLaunch {
    std::string kernel;
    std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
    /// In the order of the recording's metrics; nothing where the profiler gave no figure.
    std::vector<std::optional<double>> values;
};

/// One run of a rung on one problem.
struct RecordedRun {
    std::string rung;
    /// As --size, --dtype and --variant take them; the variant is empty where there is one only.
    std::string size, dtype, variant;
    std::uint64_t seed = 1;
    std::vector<RecordedLaunch> launches;

    /// "100x113 int32", "64x64 uint8 mean".
    std::string problem() const { return size + " " + dtype + (variant.empty() ? "" : " " + variant); }
};

/// The runs of one operation's rungs on one GPU; a file of tests/golden.
struct Recording {
    /// GPU, driver, profiler, version, date, command.
    std::vector<Fact> provenance;
    std::string operation;
    /// 90 for compute capability 9.0.
    int capability = 0;
    int multiprocessors = 0;
    /// Nsight Compute's names.
    std::vector<std::string> metrics;
    std::vector<RecordedRun> runs;

    /// The value of a metric, or nothing.
    std::optional<double> value(const RecordedLaunch& launch, std::string_view metric) const;
};

/// A GPU of as many SMs of the same compute capability; where none is known, the first of the capability, or of all.
const Gpu& gpu_like(int capability, int multiprocessors);

/// JSON, one run a line.
std::string to_json(const Recording& recording);
/// Reads what to_json wrote. Throws FileError that names the file and what is wrong.
Recording parse_recording(std::string_view json, const std::string& file);

/// The problems on which an operation is recorded: the three largest of its verified shapes that are quick to trace for
/// its first type and variant, and the middle one of them for each other type and variant.
std::vector<Problem> golden_problems(const Operation& operation);

/// The problem of a run. Throws UsageError when the operation has none of that kind any more.
Problem problem_of(const Operation& operation, const RecordedRun& run);

/// One counter of one launch, the hardware's and ours.
struct CounterComparison {
    std::string operation, rung;
    /// As RecordedRun::problem.
    std::string problem;
    /// Counts the launches of a run from 0.
    std::size_t launch = 0;
    std::string kernel;
    const Metric* metric = nullptr;
    std::optional<double> hardware, predicted;
    /// How far ours may be taken for the hardware's.
    Trust trust = Trust::unavailable;
    std::string_view reason = {};

    bool complete() const { return hardware && predicted; }
    /// To the digits that Nsight Compute prints: counts are equal when they are the same.
    bool equal() const;
};

/// Every metric of every launch that the hardware made or that we traced; either may have none. `capability` is the
/// GPU's.
std::vector<CounterComparison> compare(const Recording& recording, const RecordedRun& run,
                                       const Explanation& explanation, const Capability& capability);

/// A difference from the hardware that is known, and why it cannot be equal.
struct KnownDifference {
    /// "reduce/single_pass".
    std::string rung;
    /// A metric's name, or how it begins and then a *.
    std::string metric;
    /// As RecordedRun::problem; empty for every problem.
    std::string problem;
    std::string reason;

    bool covers(const CounterComparison& comparison) const;
};
/// Reads {"differences": [{"rung", "metric", "problem", "reason"}, …]}; the problem may be left out.
std::vector<KnownDifference> parse_known_differences(std::string_view json, const std::string& file);

/// What came of comparing the figures that are exact, or as written.
struct Accuracy {
    std::vector<const CounterComparison*> equal;
    /// Each with the known difference that covers it, or null.
    std::vector<std::pair<const CounterComparison*, const KnownDifference*>> different;
    /// Known differences that cover nothing that differs.
    std::vector<const KnownDifference*> stale;

    std::size_t compared() const { return equal.size() + different.size(); }
    std::size_t unknown() const;
};
/// Points into its arguments.
Accuracy judge(std::span<const CounterComparison> comparisons, std::span<const KnownDifference> known);

}  // namespace lanework
