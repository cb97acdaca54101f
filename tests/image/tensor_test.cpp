// A network's input: that it is the letterboxed image, normalised, in planes; and what is said of wrong arguments.
#include <gtest/gtest.h>

#include <lanework/image.hpp>
#include <limits>
#include <vector>

#include "src/core/fill.hpp"

namespace lanework {
namespace {

using Bytes = std::vector<std::uint8_t>;
const Team kTeam{2};

template <class Call>
std::string complaint(Call call) {
    try {
        call();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TensorOptions imagenet() {
    return {.letterbox = {},
            .swap_red_blue = true,
            .mean = {0.485F, 0.456F, 0.406F, 0},
            .std = {0.229F, 0.224F, 0.225F, 1}};
}

// The steps one by one: letterbox, colours exchanged, normalised with two roundings, planes.
TEST(Tensor, IsTheLetterboxedImageNormalised) {
    constexpr std::int64_t kHeight = 31, kWidth = 45, kSide = 24;
    Bytes source(kHeight * kWidth * 3), boxed(kSide * kSide * 3);
    fill_uniform(source.data(), source.size(), 5);
    const auto in = ImageView<const std::uint8_t>::tight(source.data(), kHeight, kWidth, 3);
    std::vector<float> out(boxed.size());
    Affine back;
    tensor<std::uint8_t, float>(in, {out.data(), 1, 3, kSide, kSide}, imagenet(), &back, kTeam);
    letterbox<std::uint8_t>(in, ImageView<std::uint8_t>::tight(boxed.data(), kSide, kSide, 3), {}, nullptr, kTeam);
    const TensorOptions options = imagenet();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t plane = i / (kSide * kSide), pixel = i % (kSide * kSide);
        const float factor = options.scale / options.std[plane], offset = -options.mean[plane] / options.std[plane];
        const float product = static_cast<float>(boxed[pixel * 3 + 2 - plane]) * factor;
        ASSERT_EQ(out[i], product + offset) << i;
    }
    EXPECT_EQ(back, to_source(fit_image(kHeight, kWidth, kSide, kSide, Fit::centred, true), kHeight, kWidth));
}

TEST(Tensor, RoundsTo8BitsInTheConventionOpencvOnly) {
    const Bytes source{0, 1};
    const auto in = ImageView<const std::uint8_t>::tight(source.data(), 1, 2, 1);
    float out = 0;
    TensorOptions options{.letterbox = {.fit = Fit::stretch}, .scale = 1};
    tensor<std::uint8_t, float>(in, {&out, 1, 1, 1, 1}, options, nullptr, kTeam);
    EXPECT_EQ(out, 1) << "½ is rounded up, as OpenCV does";
    options.letterbox.convention = Convention::floating;
    tensor<std::uint8_t, float>(in, {&out, 1, 1, 1, 1}, options, nullptr, kTeam);
    EXPECT_EQ(out, 0.5F);
}

TEST(Tensor, GivesTheSameBytesOnSimt) {
    if (availability(DeviceKind::simt).count == 0) GTEST_SKIP() << "no simt device in this build";
    std::vector<float> source(40 * 57 * 4);
    fill_uniform(source.data(), source.size(), 8);
    // A region that begins at an odd column of a larger image.
    const auto whole = ImageView<const float>::tight(source.data(), 40, 57, 4);
    std::vector<float16> expected(4 * 33 * 29), found(expected.size());
    const TensorOptions options{.letterbox = {.fit = Fit::top_left, .convention = Convention::floating},
                                .swap_red_blue = true,
                                .scale = 2,
                                .mean = {0.1F, 0.2F, 0.3F, 0.4F}};
    const auto inside = region(whole, 3, 5, 31, 50);
    tensor<float, float16>(inside, {expected.data(), 1, 4, 33, 29}, options, nullptr, kTeam);

    const auto device = open_device("simt");
    const std::size_t bytes = source.size() * sizeof(float), half_bytes = found.size() * sizeof(float16);
    const DeviceMemory in = device->allocate(bytes), out = device->allocate(half_bytes);
    device->upload(in.data(), source.data(), bytes);
    ImageView<const float> view = inside;
    view.pixels = reinterpret_cast<const float*>(in.data()) + (inside.pixels - source.data());
    tensor<float, float16>(view, {reinterpret_cast<float16*>(out.data()), 1, 4, 33, 29}, options, nullptr,
                           Target(*device));
    device->synchronize();
    device->download(found.data(), out.data(), half_bytes);
    EXPECT_EQ(found, expected);
}

TEST(Tensor, SaysWhatIsWrong) {
    Bytes bytes(75);
    std::vector<float> out(75);
    const auto in = ImageView<const std::uint8_t>::tight(bytes.data(), 5, 5, 3);
    const auto said = [&](const TensorView<float>& to, const TensorOptions& options) {
        return complaint([&] { tensor<std::uint8_t, float>(in, to, options, nullptr, kTeam); });
    };
    EXPECT_EQ(said({out.data(), 1, 3, 5, 5}, {}), "");
    EXPECT_EQ(said({out.data(), 2, 3, 5, 5}, {}), "tensor: in has 1 images and out 2; they must be equal");
    EXPECT_EQ(said({out.data(), 1, 1, 5, 5}, {}), "tensor: in has 3 channels and out 1; they must be equal");
    EXPECT_EQ(said({nullptr, 1, 3, 5, 5}, {}), "tensor: out has no address");
    EXPECT_EQ(said({out.data(), 1, 3, 5, 5}, {.letterbox = {}, .std = {1, 0, 1, 1}}),
              "tensor: channel 1 has mean 0 and std 0; both are finite, and std is not 0");
    EXPECT_EQ(said({out.data(), 1, 3, 5, 5}, {.letterbox = {}, .scale = std::numeric_limits<float>::infinity()}),
              "tensor: scale is inf; a finite number is right");
    const auto gray = ImageView<const std::uint8_t>::tight(bytes.data(), 5, 5, 1);
    EXPECT_EQ(complaint([&] {
                  tensor<std::uint8_t, float>(gray, {out.data(), 1, 1, 5, 5}, {.letterbox = {}, .swap_red_blue = true},
                                              nullptr, kTeam);
              }),
              "tensor: swap_red_blue is set, and in has 1 channel; 3 or 4 are right");
}

}  // namespace
}  // namespace lanework
