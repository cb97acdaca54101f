// Gray and sobel: the references against figures of OpenCV 4.6, and the cpu rungs against the references.
#include <gtest/gtest.h>

#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "ops/gray/operation.hpp"
#include "ops/sobel/operation.hpp"
#include "src/core/fill.hpp"

namespace lanework::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

Problem problem_of(const Operation& operation, std::int64_t height, std::int64_t width, std::string_view variant) {
    return {extents(height, width), DType::uint8, parse_variant(operation, variant)};
}

Bytes reference(std::string_view name, std::int64_t height, std::int64_t width, std::string_view variant, Bytes input) {
    const Operation& operation = find_operation(name);
    Bytes output(static_cast<std::size_t>(height * width));
    void* const arrays[] = {input.data(), output.data()};
    operation.reference(problem_of(operation, height, width, variant), {arrays});
    return output;
}

const Bytes kColours{168, 229, 184, 171, 238, 171, 20, 206, 245, 153, 204, 5,
                     37,  53,  213, 206, 192, 173, 6,  120, 63,  96,  236, 131};

TEST(Gray, EqualsOpenCv) {
    EXPECT_EQ(reference("gray", 2, 4, "opencv", kColours), (Bytes{206, 210, 155, 166, 66, 194, 79, 182}));
}

TEST(Gray, WeighsAndAveragesRoundedToNearest) {
    // 30·168 + 59·229 + 11·184 = 20575 → 205.75; 30·171 + 59·238 + 11·171 = 21053 → 210.53
    EXPECT_EQ(reference("gray", 1, 2, "weighted", {168, 229, 184, 171, 238, 171}), (Bytes{206, 211}));
    EXPECT_EQ(reference("gray", 1, 4, "mean", {0, 0, 1, 0, 1, 1, 255, 255, 255, 255, 255, 254}),
              (Bytes{0, 1, 255, 255}));
    EXPECT_EQ(reference("gray", 1, 3, "max", {1, 2, 3, 9, 8, 7, 4, 6, 5}), (Bytes{3, 9, 6}));
}

TEST(Gray, KeepsWhatIsGrayInEveryForm) {
    for (const std::string_view variant : find_operation("gray").variants) {
        Bytes colours, grays;
        for (int value = 0; value < 256; ++value) {
            grays.push_back(static_cast<std::uint8_t>(value));
            colours.insert(colours.end(), 3, grays.back());
        }
        EXPECT_EQ(reference("gray", 1, 256, variant, colours), grays) << variant;
    }
}

const Bytes kTexture{55, 1, 40, 75, 58, 33, 19, 34, 111, 7, 90, 117, 4, 48, 96, 6, 0, 17, 33, 62};

TEST(Sobel, EqualsOpenCvsDerivatives) {
    EXPECT_EQ(reference("sobel", 4, 5, "half_sum", kTexture),
              (Bytes{0, 14, 166, 9, 0, 151, 165, 103, 54, 11, 46, 121, 72, 160, 23, 0, 75, 36, 137, 0}));
    EXPECT_EQ(reference("sobel", 4, 5, "magnitude", kTexture),
              (Bytes{0, 28, 255, 18, 0, 255, 251, 190, 76, 22, 92, 180, 132, 234, 46, 0, 150, 72, 255, 0}));
}

TEST(Sobel, SaturatesInsteadOfWrappingAround) {
    // One bright corner: |Gx| + |Gy| beside it is far above 510.
    const Bytes step{0, 0, 255, 0, 0, 255, 255, 255, 255};
    EXPECT_EQ(reference("sobel", 3, 3, "half_sum", step)[4], 255);
    EXPECT_EQ(reference("sobel", 3, 3, "magnitude", step)[4], 255);
}

TEST(Sobel, HasNoEdgesAcrossOneRowOrColumn) {
    EXPECT_EQ(reference("sobel", 1, 1, "half_sum", {77}), Bytes{0});
    EXPECT_EQ(reference("sobel", 1, 2, "half_sum", {0, 255}), (Bytes{0, 0}));
    // In one row only Gx is left, and it counts the row four times: |4·(9−3)| / 2.
    EXPECT_EQ(reference("sobel", 1, 3, "half_sum", {3, 200, 9}), (Bytes{0, 12, 0}));
    EXPECT_EQ(reference("sobel", 3, 1, "half_sum", {3, 200, 9}), (Bytes{0, 12, 0}));
}

TEST(Sobel, RoundsItsRootsToNearest) {
    // Against the definition in integers: (2r−1)² < 4·(Gx² + Gy²) ≤ (2r+1)².
    Bytes texture(64 * 64);
    fill_uniform(texture.data(), texture.size(), 3);
    for (std::uint8_t& value : texture) value = static_cast<std::uint8_t>(value / 4);
    const Bytes edges = reference("sobel", 64, 64, "magnitude", texture);
    for (int y = 1; y < 63; ++y)
        for (int x = 1; x < 63; ++x) {
            const auto at = [&](int down, int right) {
                return int{texture[static_cast<std::size_t>((y + down) * 64 + x + right)]};
            };
            const int gx = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
            const int gy = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
            const int square = gx * gx + gy * gy, edge = edges[static_cast<std::size_t>(y * 64 + x)];
            if (edge > 0) {
                EXPECT_LT((2 * edge - 1) * (2 * edge - 1), 4 * square);
            }
            if (edge < 255) {
                EXPECT_LE(4 * square, (2 * edge + 1) * (2 * edge + 1));
            }
        }
}

/// Every cpu rung on shapes drawn at random, in every form: the vectors' tails and borders fall everywhere.
TEST(ImageRungs, OnTheCpuEqualTheReferenceOnAnyShape) {
    const auto device = open_device("cpu");
    std::uint64_t draw = 0;
    for (const std::string_view name : {"gray", "sobel"}) {
        const Operation& operation = find_operation(name);
        for (const Rung* rung : ladder(operation, DeviceKind::cpu))
            for (const std::string_view variant : operation.variants)
                for (int round = 0; round < 40; ++round) {
                    const auto length = [&] { return 1 + static_cast<std::int64_t>(random_bits(11, draw++) % 150); };
                    const Problem problem = problem_of(operation, length(), length(), variant);
                    if (!refusal(*rung, problem).empty()) continue;
                    HostArrays expected(operation, problem), found(operation, problem);
                    operation.fill(problem, draw, expected.buffers());
                    operation.fill(problem, draw, found.buffers());
                    operation.reference(problem, expected.buffers());
                    execute(*device, operation, *rung, problem, found.buffers());
                    ASSERT_TRUE(std::equal(found.data(1), found.data(1) + found.bytes(1), expected.data(1)))
                        << name << "/" << rung->name << " " << variant << " " << format_extents(operation, problem);
                }
    }
}

}  // namespace
}  // namespace lanework::test
