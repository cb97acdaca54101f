// Transposes of matrices that begin anywhere.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

struct Shape {
    std::size_t rows, cols;
};

void expect_transposed(Device& device, const Rung& rung, Shape shape, std::size_t in_shift, std::size_t out_shift) {
    SCOPED_TRACE(testing::Message() << device.info().id << " " << rung.name << " " << shape.rows << "x" << shape.cols
                                    << " shifts " << in_shift << " " << out_shift);
    const std::size_t count = shape.rows * shape.cols;
    ShiftedArray in{std::vector<std::int32_t>(count), in_shift}, out{std::vector<std::int32_t>(count, -1), out_shift};
    std::iota(in.host.begin(), in.host.end(), 7);
    const auto after = run_shifted(device, rung, {extents(shape.rows, shape.cols), DType::int32}, {in, out});
    for (std::size_t i = 0; i < count; ++i) out.host[i % shape.cols * shape.rows + i / shape.cols] = in.host[i];
    EXPECT_EQ(after[1], out.with_guards());
}

TEST(Transpose, TakesMatricesThatBeginAnywhere) {
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(find_operation("transpose"), device->info().kind))
            for (const Shape shape : {Shape{4, 4}, Shape{68, 132}, Shape{65, 128}, Shape{128, 67}, Shape{33, 31}})
                for (const std::size_t shift : {0, 1, 2}) {
                    expect_transposed(*device, *rung, shape, shift, 0);
                    expect_transposed(*device, *rung, shape, 0, shift);
                }
}

// Large enough for the cpu's streaming stores, in shapes whose output rows are whole lines, and are not.
TEST(Transpose, StreamsLargeMatricesWholeOrRagged) {
    const auto device = open_device("cpu");
    const Rung& rung = find_rung(find_operation("transpose"), "simd", DeviceKind::cpu);
    for (const Shape shape : {Shape{528, 517}, Shape{560, 1000}, Shape{529, 512}, Shape{1 << 18, 1}, Shape{1, 1 << 18}})
        for (const std::size_t shift : {0, 3}) expect_transposed(*device, rung, shape, shift, shift);
}

// A tall matrix has more rows of tiles than a grid is high.
TEST(Transpose, KeepsTheRowsBeyondAGridsHeight) {
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(find_operation("transpose"), device->info().kind))
            if (rung->name == "shared_tile") expect_transposed(*device, *rung, {16 * 65536 + 5, 1}, 0, 0);
}

}  // namespace
}  // namespace lanework
