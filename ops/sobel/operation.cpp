// What edges are, which shapes they are verified and timed on, and what they must cost at least.
#include "ops/sobel/operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <lanework/error.hpp>

#include "src/core/hard_inputs.hpp"
#include "src/pixels/problem_checks.hpp"
#include "src/pixels/rows.hpp"

namespace lanework {

ImageShape sobel_shape(const Problem& p) {
    require_images("sobel", p, 2);
    return image_shape(p);
}

}  // namespace lanework

namespace {

constexpr std::int64_t kUsual[] = {1, 0};
constexpr std::string_view kVariants[] = {"half_sum", "magnitude", "gx", "gy"};
constexpr int kChannels[] = {1, 3, 4};
constexpr Extents image(std::int64_t height, std::int64_t width, std::int64_t channels = 1, std::int64_t margin = 0) {
    return extents(height, width, channels, margin);
}
constexpr Extents kVerified[] = {
    image(0, 0),      image(0, 5),        image(5, 0),          image(1, 1),          image(1, 1, 3),
    image(1, 2, 4),   image(1, 2),        image(2, 1),          image(2, 2),          image(2, 2, 3),
    image(1, 37),     image(41, 1),       image(3, 3),          image(2, 64),         image(31, 33),
    image(64, 64),    image(9, 48, 4, 3), image(33, 100, 1, 5), image(40, 96, 1, 16), image(37, 66, 3, 8),
    image(70, 80, 4), image(64, 64, 3),   image(13, 37, 1, 5),  image(129, 272),      image(513, 1021)};
constexpr Extents kFullHd = image(1080, 1920), kUltraHd = image(2160, 3840), kVga = image(480, 640);
constexpr Extents kLarge[] = {kUltraHd, kFullHd};
constexpr Extents kSimt[] = {kVga};

DType output_type(const Problem& p) {
    const bool derivative = is_derivative(static_cast<SobelOutput>(p.variant));
    return derivative && p.dtype == DType::uint8 ? DType::int16 : p.dtype;
}

/// Random noise saturates nearly everywhere, so half of the rows are a faint texture, where every value occurs.
void fill(const Problem& p, std::uint64_t seed, const Buffers& buffers) {
    const ImageShape shape = sobel_shape(p);
    const auto [in] = buffers.arrays<void>();
    fill_samples(in, p.dtype, shape.array(), seed);
    if (p.dtype == DType::float32) return;
    auto* samples = static_cast<std::uint8_t*>(in);
    const auto pitch = static_cast<std::size_t>(shape.pitch());
    for (std::size_t i = 0; i < shape.array(); ++i)
        if (i / pitch % 16 < 8) samples[i] = static_cast<std::uint8_t>(96 + samples[i] / 4);
}

/// The integer nearest to the root: the largest r with (r − ½)² < square. (A tie cannot be: (r − ½)² is no integer.)
int nearest_root(int square) {
    int root = static_cast<int>(std::sqrt(static_cast<double>(square)));
    while (root * (root + 1) < square) ++root;
    return root;
}

std::uint8_t edge(SobelOutput output, int gx, int gy) {
    const int value =
        output == SobelOutput::half_sum ? (std::abs(gx) + std::abs(gy)) / 2 : nearest_root(gx * gx + gy * gy);
    return static_cast<std::uint8_t>(std::min(value, kBrightest));
}
float edge(SobelOutput output, float gx, float gy) {
    return output == SobelOutput::half_sum ? (std::abs(gx) + std::abs(gy)) / 2 : std::sqrt(gx * gx + gy * gy);
}

template <class T>
void reference_at(const SobelArgs<T>& a, std::int64_t y, std::int64_t x, int channel) {
    const auto at = [&](int down, int right) {
        const T* row = row_of(a.in, reflect(y + down, a.in.height));
        return SobelNumber<T>{row[reflect(x + right, a.in.width) * a.in.channels + channel]};
    };
    const auto difference = [&](int down) { return at(down, 1) - at(down, -1); };
    const auto sum = [&](int down) { return (at(down, -1) + at(down, 1)) + 2 * at(down, 0); };
    const auto gx = (difference(-1) + difference(1)) + 2 * difference(0), gy = sum(1) - sum(-1);
    const std::int64_t sample = x * a.in.channels + channel;
    if (is_derivative(a.output))
        row_of(a.derivative, y)[sample] = static_cast<SobelDerivative<T>>(a.output == SobelOutput::gx ? gx : gy);
    else
        row_of(a.edges, y)[sample] = edge(a.output, gx, gy);
}

template <class T>
void reference(const SobelArgs<T>& a) {
    for (std::int64_t y = 0; y < a.in.height; ++y)
        for (std::int64_t x = 0; x < a.in.width; ++x)
            for (int channel = 0; channel < a.in.channels; ++channel) reference_at(a, y, x, channel);
}

}  // namespace

LANEWORK_OPERATION(
    sobel,
    {
        .summary = "edges[h×w×c] = (|Gx| + |Gy|) / 2 of in[h×w×c], or Gx or Gy, border reflected",
        .axes = ImageAxes::names,
        .usual = kUsual,
        .variants = kVariants,
        .verified = kVerified,
        .timed = {.cuda = kLarge, .simt = kSimt, .cpu = kLarge},
        .draw = [](std::uint64_t seed) { return draw_image(seed, kChannels); },
        .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
            return {image_array("in", Role::input, p.dtype, sobel_shape(p)),
                    image_array("edges", Role::output, output_type(p), sobel_shape(p))};
        },
        // Arithmetic of integers is not counted as floating-point operations, and that of floats is far from a limit.
        .work =
            [](const Problem& p) {
                const std::uint64_t samples = sobel_shape(p).samples();
                return Work{.bytes_read = samples * size_of(p.dtype),
                            .bytes_written = samples * size_of(output_type(p))};
            },
        .fill = fill,
        .inputs = kHardSamples<has_floats>,
        .reference = {reference<std::uint8_t>, reference<float>},
        .tolerance =
            [](const Problem&) {
                return Tolerance{.reason = "integers, or floats whose every product and sum is rounded by itself"};
            },
    });
