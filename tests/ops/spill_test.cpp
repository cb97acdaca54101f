// What the generic verification does not reach: that the reference, which has no ring, means what a ring does, and
// arrays that begin anywhere.
#include <gtest/gtest.h>

#include <numeric>

#include "ops/spill/operation.hpp"
#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

std::int32_t reference_of(std::int32_t x, std::int64_t steps) {
    std::int32_t result = 0;
    void* const arrays[] = {&x, &result};
    find_operation("spill").reference({extents(1, steps), DType::int32}, {arrays});
    return result;
}

TEST(Spill, AStepReplacesTheOldestValueOfTheRing) {
    std::uint32_t ring[kRing];
    for (int place = 0; place < kRing; ++place) ring[place] = initial(7, place);
    for (int step = 0; step < 40; ++step) {
        std::uint32_t folded = 0;
        for (const std::uint32_t value : ring) folded = fold(folded, value);
        EXPECT_EQ(static_cast<std::uint32_t>(reference_of(7, step)), folded) << "after " << step << " steps";
        const int lagged = step % 16 >= 5 ? step % 16 - 5 : step % 16 + 11;
        ring[step % 16] = ring[step % 16] * kMultiplier + ring[lagged];
    }
}

TEST(Spill, TakesArraysThatBeginAnywhere) {
    ShiftedArray in{std::vector<std::int32_t>(333)}, out{std::vector<std::int32_t>(333)};
    std::iota(in.host.begin(), in.host.end(), -100);
    const Problem problem{extents(333, 21), DType::int32};
    expect_right_when_shifted(find_operation("spill"), problem, in, out);
}

}  // namespace
}  // namespace lanework
