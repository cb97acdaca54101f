// The stopping rule, and how many runs go into the next batch.
#include "src/measure/sampler.hpp"

#include <algorithm>
#include <chrono>
#include <lanework/measurement.hpp>

namespace lanework {
namespace {

constexpr std::size_t kFewest = 3;            // below this there is no spread to speak of
constexpr double kShareOfBudget = 1.0 / 8.0;  // of the whole time, for one batch

bool steady(const std::vector<double>& samples, const StoppingRule& rule) {
    if (samples.size() < static_cast<std::size_t>(std::max(rule.min_samples, 1))) return false;
    const Summary summary = summarize(samples);
    return summary.interquartile_range() <= rule.steady * summary.median;
}

// At most as many again as there are, so that an early steadiness is noticed.
int next_batch(const StoppingRule& rule, std::size_t taken, double spent) {
    if (taken == 0) return 1;
    const double each = spent / static_cast<double>(taken);
    const double affordable = each > 0 ? kShareOfBudget * rule.max_seconds / each : static_cast<double>(taken);
    const double most = static_cast<double>(std::min<std::size_t>(taken, static_cast<std::size_t>(rule.max_samples)));
    return static_cast<int>(std::clamp(affordable, 1.0, std::max(most, 1.0)));
}

}  // namespace

std::vector<double> collect(const StoppingRule& rule, const std::function<double()>& now,
                            const std::function<std::vector<double>(int count)>& take) {
    const double start = now();
    std::vector<double> samples;
    for (double spent = 0;; spent = now() - start) {
        const bool enough = steady(samples, rule) || spent >= rule.max_seconds ||
                            samples.size() >= static_cast<std::size_t>(std::max(rule.max_samples, 1));
        if (samples.size() >= kFewest && enough) return samples;
        const auto batch = take(next_batch(rule, samples.size(), spent));
        samples.insert(samples.end(), batch.begin(), batch.end());
    }
}

double steady_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace lanework
