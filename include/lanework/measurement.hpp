// A measurement: everything that leaves the harness about one rung on one problem. Statistics are derived from it.
#pragma once

#include <lanework/operation.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lanework {

enum class Verdict : std::uint8_t { ok, wrong, refused, failed };
constexpr std::string_view name_of(Verdict verdict) {
    constexpr std::string_view names[] = {"ok", "wrong", "refused", "failed"};
    return names[static_cast<int>(verdict)];
}

/// What sets a limit; the link is the one between host and device.
enum class Bound : std::uint8_t { memory, compute, link };
constexpr std::string_view name_of(Bound bound) {
    constexpr std::string_view names[] = {"memory", "compute", "link"};
    return names[static_cast<int>(bound)];
}

/// The least time the device could need for the work, from ceilings measured on it.
struct Limit {
    Bound bound = Bound::memory;
    double seconds = 0;
};

/// What a rung would take on a GPU that is not here: from published figures of that GPU and a trace of the rung on the
/// same problem. It explains; it is not a measurement.
struct EstimatedTime {
    /// "NVIDIA H200 SXM".
    std::string gpu;
    /// Caches cold; the band that four of five measured times lie in.
    double time_s = 0, low_s = 0, high_s = 0;
    /// What takes longest: "memory", "L2", "shared memory", "latency", ….
    std::string bound;
    /// The least time that the operation's work needs at the published bandwidth and rate.
    double limit_s = 0;
    /// Of all accesses to global memory: sectors of 32 bytes, and lanes, per request of a warp. None without accesses.
    std::optional<double> sectors_per_request, lanes_per_request;
    /// Of all accesses to shared memory: passes over the banks per request. None without accesses.
    std::optional<double> wavefronts_per_request;
};

struct Measurement {
    std::string operation;
    std::string rung;
    std::string device;
    /// Those that tell which problem it was (Operation::told_axes), in the order of its extents.
    std::vector<std::string> axes;
    Problem problem;
    /// The name of problem.variant; empty where the operation has one form only.
    std::string variant;
    std::uint64_t seed = 0;
    /// The name of the input that it was made with; empty for random values, or for all that verification uses.
    std::string input;
    Verdict verdict = Verdict::ok;
    /// Why it is not ok, in one line; empty otherwise.
    std::string reason;
    /// Runs of its verification whose inputs were not random.
    int hard_inputs = 0;
    /// The largest difference from the reference over the reference's largest element, where the operation's tolerance
    /// allows one.
    std::optional<double> error;
    /// Seconds per run with caches evicted and inputs rotated: the figure that is quoted.
    std::vector<double> cold_s;
    /// Seconds per run, back to back on the same data.
    std::vector<double> hot_s;
    Work work;
    std::optional<Limit> limit;
    bool library = false;
    std::string climbs_from;
    std::string lesson;
    /// Why it takes the time that it does, in one line: the top finding of its trace; empty where none was made.
    std::string why;
    /// For a rung that was traced on simt; it has no samples where nobody asked for the emulation's own times.
    std::optional<EstimatedTime> estimate;

    bool ok() const { return verdict == Verdict::ok; }
};

/// A measurement of which everything is known but its outcome.
Measurement describe(const Operation& operation, const Rung& rung, std::string_view device, const Problem& problem,
                     std::uint64_t seed);

/// Median, quartiles and number of samples (linear interpolation between order statistics, as R's type 7).
struct Summary {
    std::size_t count = 0;
    double minimum = 0, first_quartile = 0, median = 0, third_quartile = 0, maximum = 0;

    double interquartile_range() const { return third_quartile - first_quartile; }
};
/// All zeros for no samples.
Summary summarize(std::span<const double> samples);

/// limit ÷ cold median: 1 is the hardware limit. Empty without a limit or samples.
std::optional<double> fraction_of_limit(const Measurement& measurement);

/// One fact about where a measurement was made: {"cpu", "Intel(R) Xeon(R) …"}.
struct Fact {
    std::string name;
    std::string value;
};
/// Version of Lanework and its compiler, operating system, processor, GPUs and driver, date.
std::vector<Fact> environment();

}  // namespace lanework
