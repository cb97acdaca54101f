// What blur is, which shapes it is verified and timed on, and what it must cost at least.
#include "ops/blur/operation.hpp"

#include <fmt/format.h>

#include <lanework/error.hpp>

#include "src/core/hard_inputs.hpp"
#include "src/pixels/problem_checks.hpp"
#include "src/pixels/rows.hpp"

namespace lanework {

ImageShape blur_shape(const Problem& p) {
    require_images("blur", p, 2);
    return image_shape(p);
}

}  // namespace lanework

namespace {

constexpr std::int64_t kUsual[] = {3, 0};
constexpr int kChannels[] = {1, 3, 4};
constexpr Extents image(std::int64_t height, std::int64_t width, std::int64_t channels = 3, std::int64_t margin = 0) {
    return extents(height, width, channels, margin);
}
constexpr Extents kVerified[] = {
    image(0, 0),          image(0, 5),         image(5, 0),       image(1, 1),          image(1, 1, 1),
    image(1, 2, 4),       image(2, 1, 1),      image(2, 2),       image(1, 37, 1),      image(41, 1),
    image(3, 3, 4),       image(2, 64, 1),     image(5, 7, 3, 1), image(31, 33, 1),     image(64, 64),
    image(33, 100, 1, 5), image(9, 48, 4, 3),  image(70, 80, 4),  image(40, 96, 1, 16), image(37, 66, 3, 8),
    image(129, 272, 1),   image(13, 37, 1, 5), image(263, 341),   image(21, 16, 1),     image(21, 32, 1)};
constexpr Extents kFullHd = image(1080, 1920), kUltraHd = image(2160, 3840), kVga = image(480, 640);
constexpr Extents kLarge[] = {kUltraHd, kFullHd};
constexpr Extents kSimt[] = {kVga};

void fill(const Problem& p, std::uint64_t seed, const Buffers& buffers) {
    const auto [in] = buffers.arrays<void>();
    fill_samples(in, p.dtype, blur_shape(p).array(), seed);
}

template <class T>
void reference(const BlurArgs<T>& a) {
    for (std::int64_t y = 0; y < a.in.height; ++y)
        for (std::int64_t x = 0; x < a.in.width; ++x)
            for (int channel = 0; channel < a.in.channels; ++channel) {
                const auto row = [&](std::int64_t down) {
                    const T* samples = row_of(a.in, reflect(y + down, a.in.height)) + channel;
                    const auto at = [&](std::int64_t right) {
                        return BlurSum<T>{samples[reflect(x + right, a.in.width) * a.in.channels]};
                    };
                    return smooth(at(-1), at(0), at(1));
                };
                row_of(a.out, y)[x * a.out.channels + channel] = blurred(smooth(row(-1), row(0), row(1)));
            }
}

}  // namespace

LANEWORK_OPERATION(
    blur,
    {
        .summary = "out[h×w×c] = ([1 2 1]ᵀ[1 2 1] / 16) ∗ in[h×w×c], border reflected, rounded for 8-bit samples",
        .axes = ImageAxes::names,
        .usual = kUsual,
        .verified = kVerified,
        .timed = {.cuda = kLarge, .simt = kSimt, .cpu = kLarge},
        .draw = [](std::uint64_t seed) { return draw_image(seed, kChannels); },
        .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
            return {image_array("in", Role::input, p.dtype, blur_shape(p)),
                    image_array("out", Role::output, p.dtype, blur_shape(p))};
        },
        // Arithmetic of integers is not counted as floating-point operations, and that of floats is far from a limit.
        .work =
            [](const Problem& p) {
                const std::uint64_t bytes = blur_shape(p).samples() * size_of(p.dtype);
                return Work{.bytes_read = bytes, .bytes_written = bytes};
            },
        .fill = fill,
        .inputs = kHardSamples<has_floats>,
        .reference = {reference<std::uint8_t>, reference<float>},
        .tolerance =
            [](const Problem&) {
                return Tolerance{.reason = "integers, or floats whose every product and sum is rounded by itself"};
            },
    });
