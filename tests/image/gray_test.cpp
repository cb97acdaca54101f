// Gray: the reference against figures of OpenCV 4.6, and the public function against the reference.
#include "ops/gray/operation.hpp"

#include "tests/image/pictures.hpp"

namespace lanework::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes gray_of_colours(std::int64_t height, std::int64_t width, std::string_view variant, Bytes colours) {
    const ImageShape in{height, width, 3, 0}, out{height, width, 1, 0};
    return referred("gray", variant, Picture<std::uint8_t>(in, std::move(colours)), Picture<std::uint8_t>(out)).array;
}

const Bytes kColours{168, 229, 184, 171, 238, 171, 20, 206, 245, 153, 204, 5,
                     37,  53,  213, 206, 192, 173, 6,  120, 63,  96,  236, 131};

TEST(Gray, EqualsOpenCv) {
    EXPECT_EQ(gray_of_colours(2, 4, "opencv", kColours), (Bytes{206, 210, 155, 166, 66, 194, 79, 182}));
}

TEST(Gray, OfBlueGreenRedIsThatOfTheColoursTurnedRound) {
    Bytes turned = kColours;
    for (std::size_t i = 0; i < turned.size(); i += 3) std::swap(turned[i], turned[i + 2]);
    EXPECT_EQ(gray_of_colours(2, 4, "opencv_bgr", turned), gray_of_colours(2, 4, "opencv", kColours));
    EXPECT_EQ(gray_of_colours(2, 4, "weighted_bgr", turned), gray_of_colours(2, 4, "weighted", kColours));
}

TEST(Gray, WeighsAndAveragesRoundedToNearest) {
    // 30·168 + 59·229 + 11·184 = 20575 → 205.75; 30·171 + 59·238 + 11·171 = 21053 → 210.53
    EXPECT_EQ(gray_of_colours(1, 2, "weighted", {168, 229, 184, 171, 238, 171}), (Bytes{206, 211}));
    EXPECT_EQ(gray_of_colours(1, 4, "mean", {0, 0, 1, 0, 1, 1, 255, 255, 255, 255, 255, 254}), (Bytes{0, 1, 255, 255}));
    EXPECT_EQ(gray_of_colours(1, 3, "max", {1, 2, 3, 9, 8, 7, 4, 6, 5}), (Bytes{3, 9, 6}));
}

TEST(Gray, KeepsWhatIsGrayInEveryForm) {
    for (const std::string_view variant : find_operation("gray").variants) {
        Bytes colours, grays;
        for (int value = 0; value < 256; ++value) {
            grays.push_back(static_cast<std::uint8_t>(value));
            colours.insert(colours.end(), 3, grays.back());
        }
        EXPECT_EQ(gray_of_colours(1, 256, variant, colours), grays) << variant;
    }
}

TEST(Gray, OfFloatsIsNotRounded) {
    const ImageShape in{1, 2, 4, 0}, out{1, 2, 1, 0};
    const Picture<float> colours(in, {0.25F, 0.5F, 0.75F, 9, 2, 1, 0.5F, 9});
    const auto gray = [&](std::string_view variant) {
        return referred("gray", variant, colours, Picture<float>(out)).array;
    };
    EXPECT_EQ(gray("max"), (std::vector<float>{0.75F, 2}));
    EXPECT_EQ(gray("mean"), (std::vector<float>{0.5F, 3.5F / 3}));
    EXPECT_EQ(gray("opencv")[0], (0.299F * 0.25F + 0.587F * 0.5F) + 0.114F * 0.75F);
}

template <class T>
void expect_function_is_reference(Device& device, const ImageShape& shape, const GrayOptions& options,
                                  std::string_view variant) {
    const auto in = random_picture<T>(shape, 1);
    const auto out = random_picture<T>({shape.height, shape.width, 1, shape.margin}, 2);
    const auto found = computed(
        device, in, out, [&](const auto& from, const auto& to, Target target) { gray(from, to, options, target); });
    EXPECT_EQ(found.array, referred("gray", variant, in, out).array)
        << device.info().id << " " << variant << " " << shape.height << "×" << shape.width << "×" << shape.channels
        << " margin " << shape.margin;
}

/// Nothing between the rows is written either: whole arrays are compared.
TEST(Gray, OfAnyViewIsTheReferenceOnEveryDevice) {
    const auto& variants = find_operation("gray").variants;
    for (const auto& device : devices_here())
        for (const std::int64_t channels : {3, 4})
            for (const ImageShape& shape : shapes_with(channels))
                for (std::size_t i = 0; i < variants.size(); ++i) {
                    const GrayOptions options{kGrayVariants[i].form, kGrayVariants[i].order};
                    expect_function_is_reference<std::uint8_t>(*device, shape, options, variants[i]);
                    expect_function_is_reference<float>(*device, shape, options, variants[i]);
                }
}

TEST(Gray, SaysWhichArgumentIsWrong) {
    std::uint8_t samples[64] = {};
    const auto view = [&](std::int64_t height, std::int64_t width, int channels) {
        return ImageView<std::uint8_t>::tight(samples, height, width, channels);
    };
    const auto complaint_of = [&](const ImageView<const std::uint8_t>& in, const ImageView<std::uint8_t>& out) {
        return complaint([&] { gray(in, out, {}, Team{1}); });
    };
    EXPECT_EQ(complaint_of(view(2, 2, 1), view(2, 2, 1)),
              "gray: in.channels is 1; 3 (colour) and 4 (with alpha) are right");
    EXPECT_EQ(complaint_of(view(2, 2, 3), view(2, 2, 3)), "gray: out.channels is 3; 1 is right");
    EXPECT_EQ(complaint_of(view(2, 2, 3), view(2, 3, 1)), "gray: out is 2×3 pixels and in 2×2; they must be equal");
    EXPECT_EQ(complaint_of({samples, 2, 2, 3, 5}, view(2, 2, 1)), "gray: in.pitch is 5 bytes, and a row has 6");
    EXPECT_EQ(complaint_of({nullptr, 2, 2, 3, 6}, view(2, 2, 1)), "gray: in has no address");
    EXPECT_EQ(complaint_of({nullptr, 0, 2, 3, 6}, {nullptr, 0, 2, 1, 2}), "nothing");
}

TEST(Gray, HasNoProblemOfOneChannel) {
    EXPECT_EQ(complaint([] {
                  find_operation("gray").buffers({extents(4, 4, 1, 0), DType::uint8});
              }),
              "gray: 1 channels; 3 (colour) and 4 (with alpha) are right");
}

}  // namespace
}  // namespace lanework::test
