// The least of many samples.
#include "src/measure/fastest.hpp"

#include "src/measure/verify.hpp"

namespace lanework {

std::optional<Fastest> fastest(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
                               double seconds, References& references, bool hot) {
    const MeasureOptions options{
        .steady = 0, .max_seconds = seconds, .hot = hot, .verify = false, .references = &references};
    const Measurement result = measure(device, operation, rung, problem, nullptr, options);
    const Fastest least{summarize(result.cold_s).minimum, summarize(result.hot_s).minimum};
    return result.ok() && least.cold > 0 ? std::optional(least) : std::nullopt;
}

bool computes_right(Device& device, const Operation& operation, const Rung& rung, const Problem& like) {
    const Problem small{operation.verified.back(), like.dtype, like.variant};
    return verify(device, operation, rung, small, MeasureOptions().seed).verdict == Verdict::ok;
}

}  // namespace lanework
