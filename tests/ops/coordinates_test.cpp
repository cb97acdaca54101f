// What the records of a launch say, against values worked out by hand.
#include "ops/coordinates/operation.hpp"

#include <gtest/gtest.h>

#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

using Record = std::vector<std::uint64_t>;

Record record_of(Device& device, const Rung& rung, const Problem& problem, std::size_t thread) {
    const Operation& operation = find_operation("coordinates");
    HostArrays arrays(operation, problem);
    execute(device, operation, rung, problem, arrays.buffers());
    const auto* words = reinterpret_cast<const std::uint64_t*>(arrays.data(0)) + thread * kCoordinateFieldCount;
    return Record(words, words + kCoordinateFieldCount);
}

TEST(Coordinates, PlacesTheThreadsOfTwoByTwoBlocks) {
    const Problem problem{extents(2, 2, 1, 2, 2, 1), DType::uint64};
    // Thread 13 is the second thread of the first row of block 3, the last one.
    const Record expected{1, 1, 0, 1, 0, 0, 2, 2, 1, 2, 2, 1, 1, 3, 13, 3, 2, 0};
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(find_operation("coordinates"), device->info().kind))
            EXPECT_EQ(record_of(*device, *rung, problem, 13), expected) << device->info().id << " " << rung->name;
}

TEST(Coordinates, CountsLayersAfterRowsAfterColumns) {
    const Problem problem{extents(3, 5, 2, 7, 3, 2), DType::uint64};
    // Block (2, 4, 1) is number 29, thread (6, 2, 1) in it number 41: 29·42 + 41 = 1259, the last of all.
    const Record expected{2, 4, 1, 6, 2, 1, 3, 5, 2, 7, 3, 2, 41, 29, 1259, 20, 14, 3};
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(find_operation("coordinates"), device->info().kind))
            EXPECT_EQ(record_of(*device, *rung, problem, 1259), expected) << device->info().id << " " << rung->name;
}

TEST(Coordinates, RefusesShapesThatNoLaunchHas) {
    const auto refused = [](const Extents& e) { return std::string(refuse_launch_shape({e, DType::uint64})); };
    EXPECT_EQ(refused(extents(1, 1, 1, 1024, 1, 1)), "");
    EXPECT_EQ(refused(extents(1, 1, 1, 1025, 1, 1)), "a block measures at most 1024 x 1024 x 64 threads");
    EXPECT_EQ(refused(extents(1, 1, 1, 33, 32, 1)), "a block holds at most 1024 threads");
    EXPECT_EQ(refused(extents(1, 1, 1, 1, 1, 65)), "a block measures at most 1024 x 1024 x 64 threads");
    EXPECT_EQ(refused(extents(1, 65536, 1, 1, 1, 1)), "a grid holds at most 2147483647 x 65535 x 65535 blocks");
}

TEST(Coordinates, NamesEveryField) {
    EXPECT_EQ(kCoordinateFieldCount, 18);
    EXPECT_EQ(kCoordinateFields[14], "thread in grid");
}

}  // namespace
}  // namespace lanework
