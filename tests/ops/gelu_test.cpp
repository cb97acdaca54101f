// What GELU is at the points where it can be known without computing it, and that a result of the wrong form, or one
// that was rounded twice, is beyond the tolerance.
#include <gtest/gtest.h>

#include <cmath>
#include <lanework/device.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "ops/gelu/operation.hpp"
#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

const Operation& gelu() { return find_operation("gelu"); }

template <class T>
std::vector<T> gelu_on(Device& device, const Rung& rung, const std::vector<T>& x, const char* form) {
    const Problem problem{extents(x.size()), dtype_of<T>, parse_variant(gelu(), form)};
    std::vector<T> y(x.size());
    void* const arrays[] = {const_cast<T*>(x.data()), y.data()};  // inputs are only read
    execute(device, gelu(), rung, problem, {arrays});
    return y;
}

TEST(Gelu, OfZeroIsZeroOfLargeIsTheNumberOfVeryNegativeIsNothing) {
    const std::vector<float> x{0.0F, 20.0F, 1e30F, -20.0F, -1e30F, 1e-30F};
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(gelu(), device->info().kind))
            for (const char* form : {"erf", "tanh"}) {
                const auto y = gelu_on(*device, *rung, x, form);
                EXPECT_EQ(y[0], 0.0F) << rung->name;
                EXPECT_EQ(y[1], 20.0F) << rung->name;
                if (std::string_view(form) == "erf") {
                    EXPECT_EQ(y[2], 1e30F) << rung->name;
                }
                EXPECT_NEAR(y[3], 0.0F, 1e-30) << rung->name;
                EXPECT_NEAR(y[5], 0.5e-30, 1e-36) << rung->name;
            }
}

TEST(Gelu, ReferenceHasTheValuesOfTheTables) {
    float x[] = {1.0F, -1.0F, 2.0F}, y[3] = {};
    void* const arrays[] = {x, y};
    gelu().reference({extents(3), DType::float32, parse_variant(gelu(), "erf")}, {arrays});
    // Φ(1) = 0.8413447461, Φ(2) = 0.9772498681.
    EXPECT_FLOAT_EQ(y[0], 0.8413447461F);
    EXPECT_FLOAT_EQ(y[1], -0.1586552539F);
    EXPECT_FLOAT_EQ(y[2], 1.9544997361F);
}

TEST(Gelu, ToleranceTellsTheTwoFormsApart) {
    const Problem problem{extents(1), DType::float32};
    const Tolerance tolerance = gelu().tolerance(problem);
    const double x = 2, erf = x / 2 * std::erfc(-x * kSqrtHalf);
    const double tanh = x / 2 * (1 + std::tanh(kSqrtTwoOverPi * (x + kCubic * x * x * x)));
    EXPECT_GT(std::abs(erf - tanh), 10 * (tolerance.absolute + tolerance.relative * erf));
}

TEST(Gelu, ToleranceOfHalfTypesIsOneStepOfTheType) {
    for (const DType dtype : {DType::float16, DType::bfloat16}) {
        const Tolerance tolerance = gelu().tolerance({extents(1), dtype});
        const double step = dtype == DType::float16 ? 0x1p-10 : 0x1p-7;
        EXPECT_GT(tolerance.absolute + tolerance.relative * 4, 4 * step / 2);
        EXPECT_LT(tolerance.absolute + tolerance.relative * 4, 4 * step * 1.01);
    }
}

// Every bfloat16 there is, on every device, within one step of what double says.
TEST(Gelu, IsRightForEveryFiniteBfloat16) {
    std::vector<bfloat16> x;
    for (unsigned bits = 0; bits < 0x10000; ++bits)
        if (const bfloat16 each{static_cast<std::uint16_t>(bits)}; std::abs(to_float(each)) <= 0x1p20F)
            x.push_back(each);
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(gelu(), device->info().kind)) {
            const auto y = gelu_on(*device, *rung, x, "erf");
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double value = to_float(x[i]), right = value / 2 * std::erfc(-value * kSqrtHalf);
                ASSERT_NEAR(to_float(y[i]), right, 5e-7 + std::abs(right) * 0x1p-7) << rung->name << " of " << value;
            }
        }
}

}  // namespace
}  // namespace lanework
