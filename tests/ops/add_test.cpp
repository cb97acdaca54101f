// Additions of arrays that begin anywhere.
#include <gtest/gtest.h>

#include <bit>

#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

ShiftedArray halves(std::size_t count, std::size_t shift, float first) {
    ShiftedArray array{std::vector<std::int32_t>(count), shift};
    for (std::size_t i = 0; i < count; ++i) array.host[i] = std::bit_cast<std::int32_t>(first + 0.5F * i);
    return array;
}

void expect_sum(Device& device, const Rung& rung, std::size_t n, std::size_t x, std::size_t y, std::size_t z) {
    SCOPED_TRACE(testing::Message() << device.info().id << " " << rung.name << " n=" << n << " shifts " << x << y << z);
    ShiftedArray sum{std::vector<std::int32_t>(n, -1), z};
    const auto after = run_shifted(device, rung, {extents(n), DType::float32}, {halves(n, x, 1), halves(n, y, 3), sum});
    for (std::size_t i = 0; i < n; ++i) sum.host[i] = std::bit_cast<std::int32_t>(4.0F + static_cast<float>(i));
    EXPECT_EQ(after[2], sum.with_guards());
}

TEST(Add, TakesArraysThatBeginAnywhere) {
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(find_operation("add"), device->info().kind))
            for (const std::size_t n : {1, 2, 3, 5, 70, 1031})
                for (std::size_t shift = 0; shift < 4; ++shift) {
                    expect_sum(*device, *rung, n, shift, shift, shift);
                    expect_sum(*device, *rung, n, shift, 0, 0);
                    expect_sum(*device, *rung, n, 0, shift, 0);
                }
}

}  // namespace
}  // namespace lanework
