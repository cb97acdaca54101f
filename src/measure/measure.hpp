// Measuring: a rung is verified, timed cold and hot until the figure is steady or time is up, verified again, and
// held against the limit.
#pragma once

#include <functional>
#include <string_view>

#include "src/measure/ceilings.hpp"
#include "src/measure/references.hpp"

namespace lanework {

struct MeasureOptions {
    std::uint64_t seed = 1;
    InputIndex input = kRandomInput;
    /// Sampling stops when the interquartile range is below this share of the median…
    double steady = 0.01;
    /// …or when this much time went into timing one rung; at least three samples are taken all the same.
    double max_seconds = 0.5;
    int min_samples = 5;
    int max_samples = 1000;
    /// How long the rung runs before it is sampled; a share of max_seconds where nothing is said.
    std::optional<double> warm_up_s = {};
    bool hot = true;
    /// Verify before and after timing. Off only for measuring ceilings, whose rungs are verified once, on a smaller
    /// problem.
    bool verify = true;
    /// Inputs and right answers, kept by a caller that measures several rungs on the same problem, so that they are
    /// computed once; null for this measurement's own.
    References* references = nullptr;
    /// Told in one line that a figure raised the ceilings.
    std::function<void(std::string_view)> notice = {};
};

/// Measures one rung on one problem. A verdict other than ok carries its reason and no times. A figure that beats the
/// limit is measured again, as are the ceilings at the problem's size; if it stands, it raises `ceilings` and their
/// cache. It is `failed` only where it beats what is published of the device. `ceilings` may be null: then there is no
/// limit.
Measurement measure(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
                    Ceilings* ceilings, const MeasureOptions& options);

}  // namespace lanework
