// Axes and arrays under their names.
#include <gtest/gtest.h>

#include <array>
#include <lanework/rung.hpp>

namespace lanework {
namespace {

LANEWORK_AXES(LineAxes, n);
LANEWORK_AXES(MatrixAxes, rows, cols);
// clang-format off
LANEWORK_AXES(BatchAxes, images,height,
              width);
// clang-format on

TEST(Axes, HaveTheNamesOfTheStruct) {
    EXPECT_EQ(LineAxes::names, (std::array<std::string_view, 1>{"n"}));
    EXPECT_EQ(MatrixAxes::names, (std::array<std::string_view, 2>{"rows", "cols"}));
    EXPECT_EQ(BatchAxes::names, (std::array<std::string_view, 3>{"images", "height", "width"}));
}

TEST(Axes, TakeTheLengthsInOrder) {
    constexpr Problem problem{extents(100, 50, 113)};
    EXPECT_EQ(problem.lengths<LineAxes>().n, 100);
    const auto [images, height, width] = problem.lengths<BatchAxes>();
    EXPECT_EQ(images, 100);
    EXPECT_EQ(height, 50);
    EXPECT_EQ(width, 113);
}

TEST(Buffers, GiveTheFirstArraysInOrder) {
    int in = 1;
    float weights = 2, out = 3;
    void* const data[] = {&in, &weights, &out};
    const Buffers buffers{.data = data};
    const auto [first] = buffers.arrays<int>();
    EXPECT_EQ(*first, 1);
    const auto [same, of_in, result] = buffers.arrays<const int, const float, float>();
    EXPECT_EQ(*same, 1);
    EXPECT_EQ(*of_in, 2);
    *result = 4;
    EXPECT_EQ(out, 4);
}

}  // namespace
}  // namespace lanework
