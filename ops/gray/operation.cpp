// What gray is, which shapes it is verified and timed on, and what it must cost at least.
#include "ops/gray/operation.hpp"

#include <lanework/operation.hpp>

#include "src/core/fill.hpp"

namespace {

constexpr std::string_view kAxes[] = {"height", "width"};
constexpr std::string_view kVariants[] = {"opencv", "weighted", "mean", "max"};
constexpr Extents kVerified[] = {extents(0, 0),     extents(0, 5),    extents(5, 0),   extents(1, 1),
                                 extents(1, 17),    extents(19, 1),   extents(3, 5),   extents(31, 33),
                                 extents(64, 64),   extents(1, 1024), extents(7, 585), extents(255, 257),
                                 extents(513, 1021)};
constexpr Extents kFullHd = extents(1080, 1920), kUltraHd = extents(2160, 3840), kVga = extents(480, 640);
constexpr Extents kLarge[] = {kUltraHd, kFullHd};
constexpr Extents kSimt[] = {kVga};

std::size_t pixels(const Problem& p) {
    return static_cast<std::size_t>(p.extent[0]) * static_cast<std::size_t>(p.extent[1]);
}

void reference(const GrayArgs& a) {
    with_form(a.form, [&]<GrayForm form>() {
        for (std::int64_t i = 0; i < a.pixels(); ++i)
            a.gray[i] = static_cast<std::uint8_t>(gray_of<form>(a.rgb[3 * i], a.rgb[3 * i + 1], a.rgb[3 * i + 2]));
    });
}

}  // namespace

LANEWORK_OPERATION(
    gray,
    {
        .summary = "gray[h×w] = weights · rgb[h×w×3], 8-bit, rounded",
        .axes = kAxes,
        .variants = kVariants,
        .verified = kVerified,
        .timed = {.cuda = kLarge, .simt = kSimt, .cpu = kLarge},
        .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
            return {{"rgb", Role::input, DType::uint8, 3 * pixels(p)}, {"gray", Role::output, DType::uint8, pixels(p)}};
        },
        // Arithmetic is of integers, so no floating-point operation is counted.
        .work = [](const Problem& p) { return Work{.bytes_read = 3 * pixels(p), .bytes_written = pixels(p)}; },
        .fill = [](const Problem& p, std::uint64_t seed,
                   const Buffers& b) { fill_uniform(static_cast<std::uint8_t*>(b.data[0]), 3 * pixels(p), seed); },
        .reference = reference,
        .tolerance = [](const Problem&) { return Tolerance{.reason = "the formulas are of integers"}; },
    });
