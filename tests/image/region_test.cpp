// A part of an image, at the ends of every number: inside, or refused; nothing overflows on the way to its address.
#include <gtest/gtest.h>

#include <lanework/image.hpp>
#include <limits>
#include <vector>

namespace lanework::test {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(Region, BeginsAtItsRowAndColumn) {
    std::vector<std::uint8_t> memory(4 * 32);
    const ImageView<std::uint8_t> image{memory.data(), 4, 10, 3, 32};
    const auto part = region(image, 1, 2, 3, 8);
    EXPECT_EQ(part.pixels, memory.data() + 32 + 6);
    EXPECT_EQ(part.height, 3);
    EXPECT_EQ(part.width, 8);
    EXPECT_EQ(part.pitch, 32);
    EXPECT_EQ(region(image, 4, 10, 0, 0).height, 0);
}

TEST(Region, MustBeInside) {
    std::vector<std::uint8_t> memory(4 * 30);
    const ImageView<std::uint8_t> image{memory.data(), 4, 10, 3, 30};
    EXPECT_THROW(region(image, 1, 0, 4, 1), UsageError);
    EXPECT_THROW(region(image, kMost, 0, kMost, 1), UsageError);
    EXPECT_THROW(region(image, 0, kMost, 1, 1), UsageError);
    EXPECT_THROW(region(image, -1, 0, 1, 1), UsageError);
}

TEST(Region, OfAnImageWithoutPixelsHasItsAddress) {
    float one = 0;
    // The pitch of no row: a product with it would be beyond 64 bits.
    const ImageView<float> flat{&one, 1000, 0, 3, kMost / 2};
    EXPECT_EQ(region(flat, 999, 0, 1, 0).pixels, &one);
    const ImageView<float> none{nullptr, 1000, 0, 3, 1 << 20};
    EXPECT_EQ(region(none, 999, 0, 1, 0).pixels, nullptr);
}

TEST(Region, RefusesAViewThatNoFunctionTakes) {
    float one = 0;
    EXPECT_THROW(region(ImageView<float>{&one, kMost, 1, 1, 4}, kMost / 2, 0, 1, 1), UsageError);
    EXPECT_THROW(region(ImageView<float>{&one, 1000, 1, 1, kMost / 4}, 999, 0, 1, 1), UsageError);
    EXPECT_THROW(region(ImageView<float>{&one, 1, 1, 1 << 30, 4}, 0, 0, 1, 1), UsageError);
    EXPECT_THROW(region(ImageView<float>{nullptr, 2, 2, 1, 8}, 1, 1, 1, 1), UsageError);
}

}  // namespace
}  // namespace lanework::test
