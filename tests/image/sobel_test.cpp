// Sobel: the reference against figures of OpenCV 4.6, and the public functions against the reference.
#include "ops/sobel/operation.hpp"

#include "tests/image/pictures.hpp"

namespace lanework::test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::int16_t>;

Bytes edges_of(std::int64_t height, std::int64_t width, std::string_view variant, Bytes samples) {
    const ImageShape shape{height, width, 1, 0};
    return referred("sobel", variant, Picture<std::uint8_t>(shape, std::move(samples)), Picture<std::uint8_t>(shape))
        .array;
}
Words derivative_of(const ImageShape& shape, std::string_view variant, Bytes samples) {
    return referred("sobel", variant, Picture<std::uint8_t>(shape, std::move(samples)), Picture<std::int16_t>(shape))
        .array;
}

const Bytes kTexture{55, 1, 40, 75, 58, 33, 19, 34, 111, 7, 90, 117, 4, 48, 96, 6, 0, 17, 33, 62};

TEST(Sobel, EqualsOpenCvsDerivatives) {
    EXPECT_EQ(edges_of(4, 5, "half_sum", kTexture),
              (Bytes{0, 14, 166, 9, 0, 151, 165, 103, 54, 11, 46, 121, 72, 160, 23, 0, 75, 36, 137, 0}));
    EXPECT_EQ(edges_of(4, 5, "magnitude", kTexture),
              (Bytes{0, 28, 255, 18, 0, 255, 251, 190, 76, 22, 92, 180, 132, 234, 46, 0, 150, 72, 255, 0}));
    EXPECT_EQ(derivative_of({4, 5, 1, 0}, "gx", kTexture),
              (Words{0, -28, 332, -18, 0, 0, -99, 189, 56, 0, 0, -160, -13, 202, 0, 0, -150, -72, 274, 0}));
    EXPECT_EQ(derivative_of({4, 5, 1, 0}, "gy", kTexture),
              (Words{0, 0, 0, 0, 0, 302, 231, 17, -52, 22, -92, -82, -131, -118, -46, 0, 0, 0, 0, 0}));
    EXPECT_EQ(derivative_of({2, 3, 3, 0}, "gx", Bytes(kTexture.begin(), kTexture.begin() + 18)),
              (Words{0, 0, 0, -74, -114, -58, 0, 0, 0, 0, 0, 0, -74, -114, -58, 0, 0, 0}));
}

TEST(Sobel, SaturatesInsteadOfWrappingAround) {
    // One bright corner: |Gx| + |Gy| beside it is far above 510.
    const Bytes step{0, 0, 255, 0, 0, 255, 255, 255, 255};
    EXPECT_EQ(edges_of(3, 3, "half_sum", step)[4], 255);
    EXPECT_EQ(edges_of(3, 3, "magnitude", step)[4], 255);
}

TEST(Sobel, HasNoEdgesAcrossOneRowOrColumn) {
    EXPECT_EQ(edges_of(1, 1, "half_sum", {77}), Bytes{0});
    EXPECT_EQ(edges_of(1, 2, "half_sum", {0, 255}), (Bytes{0, 0}));
    // In one row only Gx is left, and it counts the row four times: |4·(9−3)| / 2.
    EXPECT_EQ(edges_of(1, 3, "half_sum", {3, 200, 9}), (Bytes{0, 12, 0}));
    EXPECT_EQ(edges_of(3, 1, "half_sum", {3, 200, 9}), (Bytes{0, 12, 0}));
}

TEST(Sobel, RoundsItsRootsToNearest) {
    // Against the definition in integers: (2r−1)² < 4·(Gx² + Gy²) ≤ (2r+1)².
    auto texture = random_picture<std::uint8_t>({64, 64, 1, 0}, 3);
    for (std::uint8_t& value : texture.array) value = static_cast<std::uint8_t>(value / 4);
    const Bytes edges = edges_of(64, 64, "magnitude", texture.array);
    const Words gx = derivative_of(texture.shape, "gx", texture.array);
    const Words gy = derivative_of(texture.shape, "gy", texture.array);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const int square = gx[i] * gx[i] + gy[i] * gy[i], edge = edges[i];
        if (edge > 0) {
            EXPECT_LT((2 * edge - 1) * (2 * edge - 1), 4 * square);
        }
        if (edge < 255) {
            EXPECT_LE(4 * square, (2 * edge + 1) * (2 * edge + 1));
        }
    }
}

/// The two corners on the right decide on the middle of a tile: (Gx + Gy) / 2 = a and (Gx − Gy) / 2 = b.
TEST(Sobel, RoundsEveryRootThatThereIsToNearestOnEveryDevice) {
    constexpr int kMost = 181;  // 2·a² and 2·b² beyond 255²
    const ImageShape shape{3 * kMost, 3 * kMost, 1, 0};
    Picture<std::uint8_t> tiles(shape);
    const auto at = [&](int row, int col) -> std::size_t { return static_cast<std::size_t>(row * 3 * kMost + col); };
    for (int a = 0; a < kMost; ++a)
        for (int b = 0; b < kMost; ++b) {
            tiles.array[at(3 * a + 2, 3 * b + 2)] = static_cast<std::uint8_t>(a);
            tiles.array[at(3 * a, 3 * b + 2)] = static_cast<std::uint8_t>(b);
        }
    for (const auto& device : devices_here()) {
        const auto edges =
            computed(*device, tiles, Picture<std::uint8_t>(shape), [](const auto& from, const auto& to, Target target) {
                sobel<std::uint8_t>(from, to, SobelForm::magnitude, target);
            });
        for (int a = 0; a < kMost; ++a)
            for (int b = 0; b < kMost; ++b) {
                const int square = 2 * (a * a + b * b);
                int root = 0;
                while (root < 255 && (2 * root + 1) * (2 * root + 1) < 4 * square) ++root;
                ASSERT_EQ(edges.array[at(3 * a + 1, 3 * b + 1)], root) << a << ", " << b << " " << device->info().id;
            }
    }
}

TEST(Sobel, OfFloatsIsNeitherRoundedNorSaturated) {
    const ImageShape shape{1, 3, 1, 0};
    const Picture<float> in(shape, {0, 7, 301});
    EXPECT_EQ(referred("sobel", "half_sum", in, Picture<float>(shape)).array, (std::vector<float>{0, 602, 0}));
    EXPECT_EQ(referred("sobel", "magnitude", in, Picture<float>(shape)).array, (std::vector<float>{0, 1204, 0}));
    EXPECT_EQ(referred("sobel", "gx", in, Picture<float>(shape)).array, (std::vector<float>{0, 1204, 0}));
}

template <class Out, class T, class Function>
void expect_function_is_reference(Device& device, const Picture<T>& in, std::string_view variant,
                                  const Function& function) {
    const ImageShape& shape = in.shape;
    const auto out = random_picture<Out>(shape, 2);
    EXPECT_EQ(computed(device, in, out, function).array, referred("sobel", variant, in, out).array)
        << device.info().id << " " << variant << " " << shape.height << "×" << shape.width << "×" << shape.channels
        << " margin " << shape.margin;
}

template <class T>
void expect_all_outputs(Device& device, const ImageShape& shape) {
    const auto in = random_picture<T>(shape, 1);
    for (const SobelForm form : {SobelForm::half_sum, SobelForm::magnitude})
        expect_function_is_reference<T>(
            device, in, form == SobelForm::half_sum ? "half_sum" : "magnitude",
            [&](const auto& from, const auto& to, Target target) { sobel(from, to, form, target); });
    for (const SobelAxis axis : {SobelAxis::x, SobelAxis::y})
        expect_function_is_reference<SobelDerivative<T>>(
            device, in, axis == SobelAxis::x ? "gx" : "gy",
            [&](const auto& from, const auto& to, Target target) { sobel_derivative(from, to, axis, target); });
}

/// Nothing between the rows is written either: whole arrays are compared.
TEST(Sobel, OfAnyViewIsTheReferenceOnEveryDevice) {
    for (const auto& device : devices_here())
        for (const std::int64_t channels : {1, 3, 4})
            for (const ImageShape& shape : shapes_with(channels)) {
                expect_all_outputs<std::uint8_t>(*device, shape);
                expect_all_outputs<float>(*device, shape);
            }
}

TEST(Sobel, SaysWhichArgumentIsWrong) {
    std::uint8_t samples[64] = {};
    std::int16_t words[64] = {};
    const auto in = ImageView<std::uint8_t>::tight(samples, 2, 3, 1);
    EXPECT_EQ(complaint([&] {
                  sobel<std::uint8_t>(in, ImageView<std::uint8_t>::tight(samples, 3, 2, 1), SobelForm::half_sum,
                                      Team{1});
              }),
              "sobel: out is 3×2×1 and in 2×3×1 (height × width × channels); they must be equal");
    EXPECT_EQ(complaint([&] {
                  sobel_derivative(in, {words, 2, 3, 1, 7}, SobelAxis::x, Team{1});
              }),
              "sobel_derivative: out.pitch is 7 bytes, not a multiple of a sample's 2");
}

}  // namespace
}  // namespace lanework::test
