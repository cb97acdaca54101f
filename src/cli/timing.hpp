// What bench and climb share: how long to sample, and the ceilings that give each device its limit.
#pragma once

#include <map>

#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"
#include "src/measure/measure.hpp"

namespace lanework {

/// What a reader must know of times that were taken on simt.
inline constexpr std::string_view kEmulationNote =
    "simt runs the CUDA kernels on CPU threads: these times are of the emulation and rank nothing on a GPU.";

struct TimingOptions {
    double max_seconds = MeasureOptions{}.max_seconds;
    int min_samples = MeasureOptions{}.min_samples;
    /// Below 0: a share of max_seconds.
    double warm_up_s = -1;
    /// Show how the samples are spread.
    bool statistics = false;

    void add(Command& command);
};

/// A rung of one's own that was right on simt, in a size of `time`, has failed where the GPU could not launch it in one
/// of these sizes: what is said of its time is said of them.
void fail_impossible(const Job& job, Measurement& m);

/// Times jobs one after the other; the ceilings of a device are looked up or measured when it is first used.
class Stopwatch {
public:
    /// `jobs` is how many there are to time, each of which calls progress().step() when it is done; 0 where nobody
    /// knows.
    Stopwatch(const TimingOptions& options, std::uint64_t seed, const Context& context, std::size_t jobs = 0)
        : options_(options), seed_(seed), context_(context), progress_(context, jobs) {}

    Measurement measure(const Job& job);
    /// Null where the device is not here. Measuring may raise them.
    Ceilings* ceilings(ChosenDevice& device);
    Progress& progress() { return progress_; }

private:
    TimingOptions options_;
    std::uint64_t seed_;
    const Context& context_;
    Progress progress_;
    std::map<std::string, Ceilings> ceilings_;
    References references_;  ///< of the problem that was timed last
};

}  // namespace lanework
