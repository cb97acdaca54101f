// Blur: the reference against figures of OpenCV 4.6, and the public function against the reference.
#include "ops/blur/operation.hpp"

#include "tests/image/pictures.hpp"

namespace lanework::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes blur_of(const ImageShape& shape, Bytes samples) {
    return referred("blur", "", Picture<std::uint8_t>(shape, std::move(samples)), Picture<std::uint8_t>(shape)).array;
}

const Bytes kTexture{55, 1, 40, 75, 58, 33, 19, 34, 111, 7, 90, 117, 4, 48, 96, 6, 0, 17, 33, 62};

TEST(Blur, EqualsOpenCv) {
    EXPECT_EQ(blur_of({4, 5, 1, 0}, kTexture),
              (Bytes{27, 25, 44, 64, 63, 46, 40, 45, 61, 64, 59, 49, 38, 50, 63, 53, 44, 30, 43, 60}));
    EXPECT_EQ(blur_of({2, 3, 3, 0}, Bytes(kTexture.begin(), kTexture.begin() + 18)),
              (Bytes{35, 49, 72, 31, 42, 68, 26, 35, 64, 35, 49, 72, 31, 42, 68, 26, 35, 64}));
}

TEST(Blur, ReflectsAboutTheOutermostPixels) {
    EXPECT_EQ(blur_of({1, 1, 1, 0}, {77}), Bytes{77});
    // Each of two pixels has the other on both sides: (2·0 + 2·255) / 4, rounded half up.
    EXPECT_EQ(blur_of({1, 2, 1, 0}, {0, 255}), (Bytes{128, 128}));
    EXPECT_EQ(blur_of({2, 1, 1, 0}, {0, 255}), (Bytes{128, 128}));
}

TEST(Blur, KeepsWhatIsEven) {
    for (int value = 0; value < 256; ++value) {
        const Bytes even(35, static_cast<std::uint8_t>(value));
        EXPECT_EQ(blur_of({5, 7, 1, 0}, even), even);
    }
}

TEST(Blur, OfFloatsIsNotRounded) {
    const ImageShape shape{1, 3, 1, 0};
    EXPECT_EQ(referred("blur", "", Picture<float>(shape, {0, 1, 0}), Picture<float>(shape)).array,
              (std::vector<float>{0.5F, 0.5F, 0.5F}));
}

template <class T>
void expect_function_is_reference(Device& device, const ImageShape& shape) {
    const auto in = random_picture<T>(shape, 1), out = random_picture<T>(shape, 2);
    const auto found =
        computed(device, in, out, [&](const auto& from, const auto& to, Target target) { blur(from, to, target); });
    EXPECT_EQ(found.array, referred("blur", "", in, out).array)
        << device.info().id << " " << shape.height << "×" << shape.width << "×" << shape.channels << " margin "
        << shape.margin;
}

/// Nothing between the rows is written either: whole arrays are compared.
TEST(Blur, OfAnyViewIsTheReferenceOnEveryDevice) {
    for (const auto& device : devices_here())
        for (const std::int64_t channels : {1, 3, 4})
            for (const ImageShape& shape : shapes_with(channels)) {
                expect_function_is_reference<std::uint8_t>(*device, shape);
                expect_function_is_reference<float>(*device, shape);
            }
}

TEST(Blur, SaysWhichArgumentIsWrong) {
    std::uint8_t samples[64] = {};
    const auto view = [&](std::int64_t height, std::int64_t width, int channels) {
        return ImageView<std::uint8_t>::tight(samples, height, width, channels);
    };
    const auto complaint_of = [&](const ImageView<const std::uint8_t>& in, const ImageView<std::uint8_t>& out) {
        return complaint([&] { blur(in, out, Team{1}); });
    };
    EXPECT_EQ(complaint_of(view(2, 2, 2), view(2, 2, 2)), "blur: in.channels is 2; 1, 3 and 4 are right");
    EXPECT_EQ(complaint_of(view(2, 2, 3), view(2, 2, 1)),
              "blur: out is 2×2×1 and in 2×2×3 (height × width × channels); they must be equal");
    EXPECT_EQ(complaint_of(view(2, 2, 3), {samples, 2, 2, 3, 4}), "blur: out.pitch is 4 bytes, and a row has 6");
    EXPECT_EQ(complaint_of({nullptr, 0, 0, 3, 0}, {nullptr, 0, 0, 3, 0}), "nothing");
}

}  // namespace
}  // namespace lanework::test
