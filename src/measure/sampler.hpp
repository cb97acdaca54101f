// Sampling: batches of timed runs until the figure is steady or the time is up.
#pragma once

#include <functional>
#include <vector>

namespace lanework {

struct StoppingRule {
    /// Enough when the interquartile range is at most this share of the median…
    double steady = 0.01;
    int min_samples = 5;
    /// …or when this much time was spent, whatever it was spent on; three samples are taken all the same.
    double max_seconds = 0.5;
    int max_samples = 1000;
};

/// Calls `take(count)`, which returns the seconds of that many runs, until the rule is met. `now` is the time spent so
/// far in seconds; it may begin anywhere.
std::vector<double> collect(const StoppingRule& rule, const std::function<double()>& now,
                            const std::function<std::vector<double>(int count)>& take);

/// Seconds of a steady clock.
double steady_now();

}  // namespace lanework
