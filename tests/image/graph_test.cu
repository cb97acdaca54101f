// Every function of images in a captured graph: replayed with other pixels it gives what a direct call gives for those.
#include "tests/image/replay.hpp"

namespace lanework::test {
namespace {

constexpr std::int64_t kHeight = 37, kWidth = 53, kOutHeight = 41, kOutWidth = 29;
constexpr int kChannels = 3;

class ImageGraph : public Replay {
protected:
    template <class T = std::uint8_t>
    ImageView<T> result(std::int64_t height = kHeight, std::int64_t width = kWidth, int channels = kChannels) {
        return ImageView<T>::tight(output<T>(static_cast<std::size_t>(height * width * channels)), height, width,
                                   channels);
    }
    ImageView<std::uint8_t> result_of_other_size() { return result(kOutHeight, kOutWidth); }

    ImageView<const std::uint8_t> picture_ = ImageView<const std::uint8_t>::tight(
        input<std::uint8_t>(kHeight * kWidth * kChannels,
                            [](auto& random) { return static_cast<std::uint8_t>(random()); }),
        kHeight, kWidth, kChannels);
};

TEST_F(ImageGraph, TakesTheGrayOfPixels) {
    expect_replays(
        [&, out = result(kHeight, kWidth, 1)](Target target) { gray<std::uint8_t>(picture_, out, {}, target); });
}

TEST_F(ImageGraph, Blurs) {
    expect_replays([&, out = result()](Target target) { blur(picture_, out, target); });
}

TEST_F(ImageGraph, FindsEdges) {
    expect_replays([&, out = result()](Target target) { sobel(picture_, out, SobelForm::magnitude, target); });
}

TEST_F(ImageGraph, Differentiates) {
    expect_replays([&, x = result<std::int16_t>(), y = result<std::int16_t>()](Target target) {
        sobel_derivative(picture_, x, SobelAxis::x, target);
        sobel_derivative(picture_, y, SobelAxis::y, target);
    });
}

TEST_F(ImageGraph, Resizes) {
    expect_replays([&, out = result_of_other_size()](Target target) {
        resize<std::uint8_t>(picture_, out, Convention::opencv, target);
    });
}

TEST_F(ImageGraph, Warps) {
    const WarpOptions options{.affine = {{{{0.8, 0.3, -2}, {-0.3, 0.8, 9}}}}, .border = {1, 2, 3}};
    expect_replays([&, out = result_of_other_size()](Target target) { warp(picture_, out, options, target); });
}

TEST_F(ImageGraph, Letterboxes) {
    expect_replays([&, out = result_of_other_size(), to_source = output<Affine>(1)](Target target) {
        letterbox<std::uint8_t>(picture_, out, {}, to_source, target);
    });
}

TEST_F(ImageGraph, MakesTensors) {
    const TensorView<float> out{output<float>(kChannels * kOutHeight * kOutWidth), 1, kChannels, kOutHeight, kOutWidth};
    expect_replays([&, to_source = output<Affine>(1)](Target target) {
        tensor<std::uint8_t>(picture_, out, {}, to_source, target);
    });
}

}  // namespace
}  // namespace lanework::test
