// What gray is, which shapes it is verified and timed on, and what it must cost at least.
#include "ops/gray/operation.hpp"

#include <fmt/format.h>

#include <lanework/error.hpp>

#include "src/core/hard_inputs.hpp"
#include "src/pixels/problem_checks.hpp"
#include "src/pixels/rows.hpp"

namespace lanework {

ImageShape gray_shape(const Problem& p) {
    const std::int64_t channels = p.lengths<ImageAxes>().channels;
    if (channels != 3 && channels != 4)
        throw UsageError(fmt::format("gray: {} channels; 3 (colour) and 4 (with alpha) are right", channels));
    require_images("gray", p, 2);
    return image_shape(p);
}

}  // namespace lanework

namespace {

constexpr std::int64_t kUsual[] = {3, 0};
constexpr std::string_view kVariants[] = {"opencv", "weighted", "mean", "max", "opencv_bgr", "weighted_bgr"};
constexpr int kChannels[] = {3, 4};
constexpr Extents image(std::int64_t height, std::int64_t width, std::int64_t channels = 3, std::int64_t margin = 0) {
    return extents(height, width, channels, margin);
}
constexpr Extents kVerified[] = {image(0, 0),         image(0, 5),         image(5, 0),          image(1, 1),
                                 image(1, 17),        image(19, 1),        image(3, 5),          image(31, 33),
                                 image(64, 64),       image(1, 1024),      image(7, 585),        image(255, 257),
                                 image(130, 1021),    image(31, 70, 4),    image(9, 100, 3, 1),  image(33, 67, 3, 5),
                                 image(8, 64, 3, 16), image(21, 45, 4, 3), image(70, 129, 4, 32)};
constexpr Extents kFullHd = image(1080, 1920), kUltraHd = image(2160, 3840), kVga = image(480, 640);
constexpr Extents kLarge[] = {kUltraHd, kFullHd};
constexpr Extents kSimt[] = {kVga};

/// `in` as the image, `out` with one channel of it.
ImageShape gray_of_shape(ImageShape in) {
    in.channels = 1;
    return in;
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& buffers) {
    const auto [in] = buffers.arrays<void>();
    fill_samples(in, p.dtype, gray_shape(p).array(), seed);
}

template <class T>
void reference(const GrayArgs<T>& a) {
    const int red = red_of(a.order), blue = 2 - red;
    with_form(a.form, [&]<GrayForm form>() {
        for (std::int64_t y = 0; y < a.in.height; ++y)
            for (std::int64_t x = 0; x < a.in.width; ++x) {
                const T* pixel = row_of(a.in, y) + x * a.in.channels;
                row_of(a.out, y)[x] = gray_of<form>(pixel[red], pixel[1], pixel[blue]);
            }
    });
}

}  // namespace

LANEWORK_OPERATION(
    gray,
    {
        .summary = "gray[h×w] = weights · in[h×w×c], rounded for 8-bit samples",
        .axes = ImageAxes::names,
        .usual = kUsual,
        .variants = kVariants,
        .verified = kVerified,
        .timed = {.cuda = kLarge, .simt = kSimt, .cpu = kLarge},
        .draw = [](std::uint64_t seed) { return draw_image(seed, kChannels); },
        .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
            return {image_array("in", Role::input, p.dtype, gray_shape(p)),
                    image_array("gray", Role::output, p.dtype, gray_of_shape(gray_shape(p)))};
        },
        // Arithmetic of integers is not counted as floating-point operations, and that of floats is far from a limit.
        .work =
            [](const Problem& p) {
                const ImageShape shape = gray_shape(p);
                return Work{.bytes_read = shape.samples() * size_of(p.dtype),
                            .bytes_written = gray_of_shape(shape).samples() * size_of(p.dtype)};
            },
        .fill = fill,
        .inputs = kHardSamples<has_floats>,
        .reference = {reference<std::uint8_t>, reference<float>},
        .tolerance =
            [](const Problem&) {
                return Tolerance{.reason = "integers, or floats whose every product and sum is rounded by itself"};
            },
    });
