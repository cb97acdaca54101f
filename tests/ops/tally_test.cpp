// What the generic verification does not reach: who adds where, and which crowds a block can hold.
#include "ops/tally/operation.hpp"

#include <gtest/gtest.h>

#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

TEST(Tally, AThreadAddsToTheCellOfItsNumber) {
    std::int32_t values[] = {1, 10, 100, 1000, 10000}, cells[] = {-1, -1, -1};
    void* const arrays[] = {values, cells};
    find_operation("tally").reference({extents(5, 3, 2), DType::int32}, {arrays});
    EXPECT_EQ(cells[0], 2 * (1 + 1000));
    EXPECT_EQ(cells[1], 2 * (10 + 10000));
    EXPECT_EQ(cells[2], 2 * 100);
}

TEST(Tally, WithoutThreadsOrRoundsIsZero) {
    for (const Extents extent : {extents(0, 2, 5), extents(3, 2, 0)})
        for (const auto& device : devices_here())
            for (const Rung* rung : ladder(find_operation("tally"), device->info().kind)) {
                const ShiftedArray values{std::vector<std::int32_t>(3, 7)}, cells{std::vector<std::int32_t>(2, 9)};
                const auto result = run_shifted(*device, *rung, {extent, DType::int32}, {values, cells})[1];
                EXPECT_EQ(result[cells.start()], 0) << device->info().id << " " << rung->name;
                EXPECT_EQ(result[cells.start() + 1], 0) << device->info().id << " " << rung->name;
            }
}

TEST(Tally, RefusesCellsThatNoBlockCanHold) {
    for (const Rung* rung : ladder(find_operation("tally"), DeviceKind::simt)) {
        const bool shared = rung->name == "shared_atomics";
        EXPECT_EQ(refusal(*rung, {extents(10, 4096, 1), DType::int32}), "");
        EXPECT_EQ(refusal(*rung, {extents(10, 4097, 1), DType::int32}).empty(), !shared) << rung->name;
    }
}

}  // namespace
}  // namespace lanework
