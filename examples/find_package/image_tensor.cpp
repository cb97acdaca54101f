// A picture becomes a network's input: resized, letterboxed, normalised and laid out channel by channel in one launch,
// and a box that the network would find in it is taken back to the picture's pixels.
#include <cstdio>
#include <exception>
#include <lanework/device_array.hpp>
#include <lanework/image.hpp>
#include <vector>

namespace {

constexpr std::int64_t kHeight = 480, kWidth = 640, kSide = 320;
constexpr int kChannels = 3;

/// Red grows to the right, green downwards; blue is a disc in the middle.
std::vector<std::uint8_t> drawn() {
    std::vector<std::uint8_t> samples;
    for (std::int64_t y = 0; y < kHeight; ++y)
        for (std::int64_t x = 0; x < kWidth; ++x) {
            const std::int64_t right = x - kWidth / 2, down = y - kHeight / 2;
            samples.push_back(static_cast<std::uint8_t>(255 * x / (kWidth - 1)));
            samples.push_back(static_cast<std::uint8_t>(255 * y / (kHeight - 1)));
            samples.push_back(right * right + down * down < 100 * 100 ? 255 : 0);
        }
    return samples;
}

void print(const std::vector<float>& tensor, std::int64_t y, std::int64_t x) {
    std::printf("at (%lld, %lld):", static_cast<long long>(y), static_cast<long long>(x));
    for (int c = 0; c < kChannels; ++c)
        std::printf(" %.3f", static_cast<double>(tensor[static_cast<std::size_t>((c * kSide + y) * kSide + x)]));
    std::printf("\n");
}

void run(lanework::Device& device) {
    const std::vector<std::uint8_t> picture = drawn();

    // The caller owns all memory; the call below allocates nothing, and a CUDA graph could capture it.
    const lanework::DeviceArray<std::uint8_t> pixels(device, picture);
    const lanework::DeviceArray<float> numbers(device, kChannels * kSide * kSide);
    const lanework::DeviceArray<lanework::Affine> affine(device, 1);

    const auto in = lanework::ImageView<const std::uint8_t>::tight(pixels.data(), kHeight, kWidth, kChannels);
    const lanework::TensorView<float> out{numbers.data(), 1, kChannels, kSide, kSide};
    lanework::tensor<std::uint8_t>(in, out, {}, affine.data(), device);
    device.synchronize();

    const std::vector<float> tensor = numbers.to_host();
    const lanework::Affine to_source = affine.to_host()[0];
    std::printf("%lldx%lld pixels became 3x%lldx%lld numbers\n", static_cast<long long>(kHeight),
                static_cast<long long>(kWidth), static_cast<long long>(kSide), static_cast<long long>(kSide));
    print(tensor, 0, 0);                  // padding: 114 / 255
    print(tensor, kSide / 2, kSide / 2);  // the middle of the disc
    std::printf("the corner (0, 40) of the letterbox is (%g, %g) in the picture\n", to_source.m[0][2],
                to_source.m[1][1] * 40 + to_source.m[1][2]);
}

}  // namespace

int main() try {
    const auto device = lanework::best_device();
    std::printf("on %s\n", device->info().id.c_str());
    run(*device);
} catch (const std::exception& error) {
    std::fprintf(stderr, "image_tensor: %s\n", error.what());
    return 1;
}
