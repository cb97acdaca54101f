// What an affine transform of an image is, which shapes it is verified and timed on, and what it must cost at least.
#include "ops/warp/operation.hpp"

#include <algorithm>
#include <cmath>
#include <lanework/operation.hpp>
#include <numbers>

#include "ops/warp/blend.hpp"
#include "ops/warp/coverage.hpp"
#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"
#include "src/pixels/problem_checks.hpp"

namespace {

constexpr std::int64_t kUsual[] = {3, 10, 100, 0};
constexpr std::string_view kVariants[] = {"opencv", "float"};
// Height and width of both; channels, degrees, percent, margin. Some see only the border, and some are enlarged so much
// that all is between two pixels.
constexpr Extents kVerified[] = {extents(0, 0, 3, 5, 3, 10, 100, 0),        extents(5, 0, 4, 4, 1, 10, 100, 0),
                                 extents(5, 7, 0, 9, 3, 10, 100, 0),        extents(1, 1, 1, 1, 1, 0, 100, 0),
                                 extents(1, 1, 3, 3, 3, 0, 100, 0),         extents(1, 1, 9, 35, 4, 45, 1000, 1),
                                 extents(1, 90, 90, 1, 3, 90, 100, 0),      extents(7, 585, 5, 70, 1, 0, 12, 0),
                                 extents(31, 33, 31, 33, 3, 0, 100, 0),     extents(31, 33, 33, 31, 3, 90, 100, 3),
                                 extents(50, 40, 64, 96, 3, 30, 150, 0),    extents(50, 40, 70, 101, 4, 200, 137, 0),
                                 extents(63, 130, 70, 101, 1, 77, 61, 5),   extents(200, 211, 70, 101, 3, 315, 33, 1),
                                 extents(2, 2, 40, 300, 4, 3, 9000, 0),     extents(40, 40, 33, 65, 3, 45, 1, 0),
                                 extents(40, 64, 50, 70, 1, 30, 150, 0),    extents(33, 96, 64, 64, 1, 77, 61, 0),
                                 extents(64, 72, 101, 90, 4, 315, 140, 0),  extents(120, 161, 150, 193, 4, 10, 100, 2),
                                 extents(255, 257, 131, 512, 3, 190, 90, 0)};
constexpr Extents kFullHd = extents(1080, 1920, 1080, 1920, 3, 10, 100, 0),
                  kUltraHd = extents(2160, 3840, 2160, 3840, 3, 10, 100, 0),
                  kVga = extents(480, 640, 480, 640, 3, 10, 100, 0);
constexpr Extents kLarge[] = {kUltraHd, kFullHd};
constexpr Extents kOnCpu[] = {kUltraHd, kFullHd, kVga};
constexpr Extents kSimt[] = {kVga};

/// A side of 1 to 200 pixels; small ones and 1 itself are as likely as large ones.
std::int64_t drawn_side(std::uint64_t bits) {
    const std::int64_t most[] = {1, 4, 33, 70, 200};
    return 1 + static_cast<std::int64_t>((bits >> 8) % static_cast<std::uint64_t>(most[bits % std::size(most)]));
}

Extents draw(std::uint64_t seed) {
    std::uint64_t index = 0;
    const auto bits = [&] { return random_bits(seed, index++); };
    const auto one_of = [&](auto... values) {
        const std::int64_t list[] = {values...};
        return list[bits() % std::size(list)];
    };
    const auto below = [&](std::uint64_t end) { return static_cast<std::int64_t>(bits() % end); };
    const std::int64_t height = drawn_side(bits()), width = drawn_side(bits());
    const std::int64_t out_height = drawn_side(bits()), out_width = drawn_side(bits());
    const std::int64_t degrees = one_of(0, 90, 180, 270, below(360), below(360), below(360), below(360));
    const std::int64_t percent = one_of(50, 100, 200, 1 + below(100), 1 + below(400), 1 + below(4000));
    return extents(height, width, out_height, out_width, one_of(1, 3, 4), degrees, percent, one_of(0, 0, 1, 2, 3, 5));
}

/// OpenCV's weights of a site in 2⁻¹⁵, as it computes them: each rounded to 16 bits by itself, and what they then lack
/// is put on the last.
std::array<std::int32_t, 4> opencv_weights(std::int32_t right, std::int32_t down) {
    constexpr float kFraction = 1.0F / kFractions;
    constexpr std::int32_t kOne = 1 << 15;
    const float across[] = {1.0F - static_cast<float>(right) * kFraction, static_cast<float>(right) * kFraction};
    const float along[] = {1.0F - static_cast<float>(down) * kFraction, static_cast<float>(down) * kFraction};
    std::array<std::int32_t, 4> weights;
    for (std::size_t i = 0; i < 4; ++i)
        weights[i] = std::min(static_cast<std::int32_t>(std::lrint(along[i / 2] * across[i % 2] * kOne)), kOne - 1);
    weights[3] += kOne - weights[0] - weights[1] - weights[2] - weights[3];
    return weights;
}

std::uint8_t reference_blend(const Taps<std::uint8_t>& taps, std::int32_t right, std::int32_t down) {
    const auto weights = opencv_weights(right, down);
    const std::int32_t sum = taps.top_left * weights[0] + taps.top_right * weights[1] + taps.bottom_left * weights[2] +
                             taps.bottom_right * weights[3];
    return static_cast<std::uint8_t>((sum + (1 << 14)) >> 15);
}
template <class T, class Fraction>
T reference_blend(const Taps<T>& taps, Fraction right, Fraction down) {
    return blend(taps, right, down);
}

template <class Number, class T>
void reference_row(const WarpArgs<T>& a, std::int64_t y) {
    const auto row = row_terms<Number>(a.to_in, y);
    for (std::int64_t x = 0; x < a.out.width; ++x) {
        const auto site = site_of(column_terms<Number>(a.to_in, x), row);
        for (int c = 0; c < a.out.channels; ++c)
            row_of(a.out, y)[x * a.out.channels + c] =
                is_outside(a.in, site) ? a.border[static_cast<std::size_t>(c)]
                                       : reference_blend(taps_of(a.in, site, c, a.border[static_cast<std::size_t>(c)]),
                                                         site.right, site.down);
    }
}

template <class T>
void reference(const WarpArgs<T>& a) {
    for (std::int64_t y = 0; y < a.out.height; ++y)
        if (a.convention == Convention::floating)
            reference_row<double>(a, y);
        else
            reference_row<std::int64_t>(a, y);
}

Work work(const Problem& p) {
    const ImageShape in = warp_input(p), out = warp_output(p);
    const std::uint64_t pixel = static_cast<std::uint64_t>(out.channels) * size_of(p.dtype);
    return {.bytes_read = pixels_needed(warp_affine(p), in.height, in.width, out.height, out.width) * pixel,
            .bytes_written = out.samples() * size_of(p.dtype)};
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& buffers) {
    const auto [in] = buffers.arrays<void>();
    fill_samples(in, p.dtype, warp_input(p).array(), seed);
}

}  // namespace

namespace lanework {

Affine warp_affine(const Problem& p) {
    const ImageShape in = warp_input(p), out = warp_output(p);
    const double angle = static_cast<double>(p.lengths<WarpAxes>().degrees) * (std::numbers::pi / 180);
    const double scale = static_cast<double>(std::max<std::int64_t>(p.lengths<WarpAxes>().percent, 1)) / 100;
    const double cosine = scale * std::cos(angle), sine = scale * std::sin(angle);
    const double x = 0.5 * static_cast<double>(in.width - 1), y = 0.5 * static_cast<double>(in.height - 1);
    const double out_x = 0.5 * static_cast<double>(out.width - 1), out_y = 0.5 * static_cast<double>(out.height - 1);
    return {{{{cosine, sine, out_x - cosine * x - sine * y}, {-sine, cosine, out_y + sine * x - cosine * y}}}};
}

}  // namespace lanework

namespace {
/// It computes every warp and is the fastest that was measured (results/h200/warp.json): what stands behind it is there
/// to be looked at.
constexpr Preference kChoice[] = {{"word_taps"}};
}  // namespace

LANEWORK_OPERATION(
    warp,
    {
        .summary = "out[h×w×c] = in[h×w×c] at positions that an affine transform gives, bilinear, border constant",
        .axes = WarpAxes::names,
        .usual = kUsual,
        .variants = kVariants,
        .verified = kVerified,
        .timed = {.cuda = kLarge, .simt = kSimt, .cpu = kOnCpu},
        .draw = draw,
        .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
            require_images("warp", p, 4);
            return {image_array("in", Role::input, p.dtype, warp_input(p)),
                    image_array("out", Role::output, p.dtype, warp_output(p))};
        },
        .work = work,
        .fill = fill,
        .inputs = kHardSamples<has_floats>,
        .reference = {reference<std::uint8_t>, reference<float>},
        .tolerance =
            [](const Problem&) {
                return Tolerance{.reason = "integers, or floats whose every product and sum is rounded by itself"};
            },
        .choice = kChoice,
    });
