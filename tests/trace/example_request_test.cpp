// Strides read from addresses.
#include "src/trace/analyse/example_request.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace lanework {
namespace {

ExampleRequest request(unsigned bytes, const std::function<std::int64_t(int)>& offset, std::uint32_t lanes = ~0u) {
    ExampleRequest request{.lanes = lanes, .bytes = bytes, .stores = false, .address = {}};
    for (int lane = 0; lane < 32; ++lane)
        request.address[static_cast<std::size_t>(lane)] = 0x10000 + static_cast<std::uint64_t>(offset(lane));
    return request;
}

TEST(LanePattern, IsOneStepForAllLanes) {
    EXPECT_EQ(pattern_of(request(4, [](int lane) { return 4 * lane; })), (LanePattern{32, 4, 0}));
    EXPECT_EQ(pattern_of(request(4, [](int lane) { return -400 * lane; })), (LanePattern{32, -400, 0}));
    EXPECT_EQ(pattern_of(request(8, [](int) { return 0; })), (LanePattern{32, 0, 0}));
}

TEST(LanePattern, IsStepsWithinAndBetweenRows) {
    EXPECT_EQ(pattern_of(request(4, [](int lane) { return lane / 16 * 68 + lane % 16 * 4; })),
              (LanePattern{16, 4, 68}));
    EXPECT_EQ(pattern_of(request(4, [](int lane) { return lane / 16 * 4 + lane % 16 * 68; })),
              (LanePattern{16, 68, 4}));
    EXPECT_EQ(pattern_of(request(1, [](int lane) { return lane / 8 * 100; })), (LanePattern{8, 0, 100}));
}

TEST(LanePattern, HoldsForTheLanesThatTakePart) {
    const auto ragged = [](int lane) { return lane % 3 == 0 ? 12345 : lane * 8; };
    std::uint32_t lanes = 0;
    for (int lane = 0; lane < 32; ++lane) lanes |= (lane % 3 != 0 ? 1u : 0u) << lane;
    EXPECT_EQ(pattern_of(request(4, ragged, lanes)), (LanePattern{32, 8, 0}));
    EXPECT_EQ(pattern_of(request(4, ragged)), std::nullopt);
    const auto rows = [](int lane) { return lane / 16 * 68 + lane % 16 * 4; };
    EXPECT_EQ(pattern_of(request(4, rows, 0xFFF0FFF8u)), (LanePattern{16, 4, 68})) << "rows begin at other columns";
}

TEST(LanePattern, NeedsTwoLanesAndAnOrder) {
    EXPECT_EQ(pattern_of(request(
                  4, [](int lane) { return lane * 4; }, 1u << 7)),
              std::nullopt);
    EXPECT_EQ(pattern_of(request(
                  4, [](int lane) { return lane * 4; }, 0)),
              std::nullopt);
    EXPECT_EQ(pattern_of(request(4, [](int lane) { return lane * lane * 4; })), std::nullopt);
}

TEST(LanePattern, IsDescribedInWordsOfSharedMemory) {
    const auto rows = request(4, [](int lane) { return lane / 16 * 68 + lane % 16 * 4; });
    EXPECT_EQ(describe_pattern(rows, true), "rows of 16 lanes are 17 words apart");
    EXPECT_EQ(describe_pattern(rows, false), "rows of 16 lanes are 68 bytes apart");
    EXPECT_EQ(describe_pattern(request(4, [](int lane) { return lane / 16 * 4 + lane % 16 * 68; }), true),
              "lanes are 17 words apart in groups of 16, the groups 1 word");
    EXPECT_EQ(describe_pattern(request(4, [](int lane) { return lane / 8 * 128; }), true),
              "groups of 8 lanes name one address each, 32 words apart");
    EXPECT_EQ(describe_pattern(request(1, [](int lane) { return lane * 3; }), true), "lanes are 3 bytes apart");
    EXPECT_EQ(describe_pattern(request(4, [](int) { return 0; }), true), "all lanes name one address");
    EXPECT_EQ(describe_pattern(request(4, [](int lane) { return lane * lane; }), true), "");
}

}  // namespace
}  // namespace lanework
