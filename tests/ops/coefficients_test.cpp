// What the generic verification does not reach: coefficients that begin anywhere, and a second set of them in the
// memory where the first one was.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

const Operation& coefficients() { return find_operation("coefficients"); }

struct Arrays {
    ShiftedArray in, coefficients, out;
};

Arrays arrays(std::size_t n, std::size_t degree, std::int32_t offset) {
    Arrays a{{std::vector<std::int32_t>(n)}, {std::vector<std::int32_t>(degree)}, {std::vector<std::int32_t>(n)}};
    for (std::size_t i = 0; i < n; ++i) a.in.host[i] = static_cast<std::int32_t>(2 * i);
    for (std::size_t k = 0; k < degree; ++k) a.coefficients.host[k] = static_cast<std::int32_t>(2 * k) + offset;
    void* const hosts[] = {a.in.host.data(), a.coefficients.host.data(), a.out.host.data()};
    coefficients().reference({extents(n, degree), DType::int32}, {hosts});
    return a;
}

TEST(Coefficients, MultiplyOneFactorForEach) {
    const Arrays a = arrays(2, 3, 1);  // (x + 1)(x + 3)(x + 5)
    EXPECT_EQ(a.out.host, (std::vector<std::int32_t>{15, 3 * 5 * 7}));
}

TEST(Coefficients, MayBeginAnywhere) {
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(coefficients(), device->info().kind))
            for (const std::size_t shift : {0, 1, 5}) {
                Arrays a = arrays(300, 37, 1);
                a.coefficients.shift = shift;
                a.in.shift = 5 - shift;
                EXPECT_EQ(
                    run_shifted(*device, *rung, {extents(300, 37), DType::int32}, {a.in, a.coefficients, a.out})[2],
                    a.out.with_guards())
                    << device->info().id << " " << rung->name << " shift " << shift;
            }
}

TEST(Coefficients, AreReadAnewAtEachLaunch) {
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(coefficients(), device->info().kind))
            for (const std::int32_t offset : {1, 101, 7}) {
                const Arrays a = arrays(40, 9, offset);
                EXPECT_EQ(run_shifted(*device, *rung, {extents(40, 9), DType::int32}, {a.in, a.coefficients, a.out})[2],
                          a.out.with_guards())
                    << device->info().id << " " << rung->name << " offset " << offset;
            }
}

TEST(Coefficients, AreRefusedWhereAMemoryIsTooSmall) {
    const Problem most{extents(1, 8192), DType::int32}, more{extents(1, 8193), DType::int32};
    for (const char* name : {"constant_uniform", "constant_divergent"}) {
        const Rung& rung = find_rung(coefficients(), name, DeviceKind::simt);
        EXPECT_EQ(refusal(rung, most), "");
        EXPECT_NE(refusal(rung, more), "");
    }
}

}  // namespace
}  // namespace lanework
