// What the generic verification does not reach: that a step means what it says, and arrays that begin anywhere.
#include "ops/relay/operation.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

TEST(Relay, HandsOnFromStepToStep) {
    std::int32_t x = 5, result = 0;
    void* const arrays[] = {&x, &result};
    const auto after = [&](std::int64_t steps) {
        find_operation("relay").reference({extents(1, steps), DType::int32}, {arrays});
        return static_cast<std::uint32_t>(result);
    };
    EXPECT_EQ(after(0), 5u);
    EXPECT_EQ(after(1), 5u * 0x9E3779B1u + 1u);
    EXPECT_EQ(after(2), (5u * 0x9E3779B1u + 1u) * 0x9E3779B1u + 1u);
}

TEST(Relay, TakesArraysThatBeginAnywhere) {
    ShiftedArray in{std::vector<std::int32_t>(333)}, out{std::vector<std::int32_t>(333)};
    std::iota(in.host.begin(), in.host.end(), -100);
    const Problem problem{extents(333, 3), DType::int32};
    expect_right_when_shifted(find_operation("relay"), problem, in, out);
}

}  // namespace
}  // namespace lanework
