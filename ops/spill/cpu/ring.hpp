// One element's ring, indexed by the step.
#pragma once

#include "ops/spill/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What belongs to element x after the steps.
inline std::uint32_t run_ring(std::uint32_t x, std::int64_t steps) {
    std::uint32_t ring[kRing];
    for (int place = 0; place < kRing; ++place) ring[place] = initial(x, place);
    for (std::int64_t step = 0; step < steps; ++step)
        ring[place_of(step)] = next(ring[place_of(step)], ring[lagged_place(step)]);
    std::uint32_t result = 0;
    for (const std::uint32_t value : ring) result = fold(result, value);
    return result;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
