// What the generic verification does not reach: that steps lose nothing, and that parity alone decides the side.
#include <gtest/gtest.h>

#include <bitset>
#include <numeric>

#include "ops/divergence/operation.hpp"
#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

/// Values that a step takes modulo 2^16 over all words modulo 2^16: both steps only carry upwards, so if none is
/// missing here, none is among all words either, and no step forgets what came before it.
std::size_t reached(std::uint32_t (*step)(std::uint32_t)) {
    std::bitset<65536> seen;
    for (std::uint32_t x = 0; x < 65536; ++x) seen.set(step(x) % 65536);
    return seen.count();
}

TEST(Divergence, EvenStepsLoseNothing) { EXPECT_EQ(reached(even_step), 65536U); }
TEST(Divergence, OddStepsLoseNothing) { EXPECT_EQ(reached(odd_step), 65536U); }

TEST(Divergence, ParityAloneDecidesTheSide) {
    const ShiftedArray in{std::vector<std::int32_t>(1001, 5)}, out{std::vector<std::int32_t>(1001)};
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(find_operation("divergence"), device->info().kind)) {
            const auto after = run_shifted(*device, *rung, {extents(1001, 1), DType::int32}, {in, out});
            for (std::size_t i = 0; i < 1001; ++i)
                ASSERT_EQ(static_cast<std::uint32_t>(after[1][out.start() + i]),
                          i % 2 == 0 ? even_step(5) : odd_step(5))
                    << device->info().id << " " << rung->name << " element " << i;
        }
}

TEST(Divergence, TakesArraysThatBeginAnywhere) {
    ShiftedArray in{std::vector<std::int32_t>(777)}, out{std::vector<std::int32_t>(777)};
    std::iota(in.host.begin(), in.host.end(), -300);
    const Problem problem{extents(777, 3), DType::int32};
    expect_right_when_shifted(find_operation("divergence"), problem, in, out);
}

}  // namespace
}  // namespace lanework
