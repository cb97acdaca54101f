// Half precision: the reference rounds each step once, and every rung that has the type agrees to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <lanework/registry.hpp>
#include <vector>

#include "ops/fma/operation.hpp"

namespace lanework {
namespace {

// The half that is nearest to a number, found by looking at its neighbours; ties to even.
float16 nearest_half(double exact) {
    float16 best = to_float16(static_cast<float>(exact));
    for (const int step : {-1, 1}) {
        const float16 beside{static_cast<std::uint16_t>(best.bits + step)};
        const double now = std::abs(static_cast<double>(to_float(best)) - exact);
        const double then = std::abs(static_cast<double>(to_float(beside)) - exact);
        if (then < now || (then == now && beside.bits % 2 == 0)) best = beside;
    }
    return best;
}

TEST(Fma, TheReferenceOfHalfPrecisionRoundsOnce) {
    const Problem problem{extents(4096, 1), DType::float16};
    std::vector<float16> starts(4096), coefficients(2), out(4096);
    void* const arrays[] = {starts.data(), coefficients.data(), out.data()};
    const Operation& fma = find_operation("fma");
    fma.fill(problem, 3, {arrays});
    // 1 + 2^-10 + 2^-11 - 2^-31: the float between would be a tie, and go up to the even neighbour.
    starts[0] = to_float16(0x1p-11F - 0x1p-21F);
    coefficients[0] = coefficients[1] = to_float16(1 + 0x1p-10F);
    fma.reference(problem, {arrays});
    const double a = to_float(coefficients[0]), b = to_float(coefficients[1]);
    for (std::size_t i = 0; i < out.size(); ++i)
        EXPECT_EQ(out[i].bits, nearest_half(to_float(starts[i]) * a + b).bits) << i;
}

TEST(Fma, HalfPrecisionKeepsElementsApart) {
    const Problem problem{extents(64, 64), DType::float16};
    std::vector<float16> starts(64), coefficients(2), out(64);
    void* const arrays[] = {starts.data(), coefficients.data(), out.data()};
    const Operation& fma = find_operation("fma");
    fma.fill(problem, 5, {arrays});
    fma.reference(problem, {arrays});
    int changed = 0, finite = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        changed += out[i] != starts[i];
        finite += std::abs(to_float(out[i])) < 8;
    }
    EXPECT_GT(changed, 48);
    EXPECT_EQ(finite, 64);
}

}  // namespace
}  // namespace lanework
