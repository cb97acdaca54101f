// The affine transform of an image: arguments checked, the transform inverted, the top rung launched.
#include <cmath>

#include "ops/warp/operation.hpp"
#include "src/core/launch.hpp"
#include "src/pixels/affine.hpp"
#include "src/pixels/checks.hpp"

extern const lanework::Operation lanework_operation_warp;

namespace lanework {
namespace {

bool is_finite(const Affine& affine) {
    for (const auto& row : affine.m)
        for (const double value : row)
            if (!std::isfinite(value)) return false;
    return true;
}

/// The border as samples; those of 8 bits are whole numbers from 0 to 255.
template <class T>
std::array<T, 4> border_of(const std::array<float, 4>& border, int channels) {
    std::array<T, 4> samples{};
    for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
        const float value = border[c];
        if (sizeof(T) == 1 && !(value >= 0 && value <= 255 && value == std::floor(value)))
            throw UsageError(fmt::format(
                "warp: options.border[{}] is {}; of 8-bit images it is a whole number from 0 to 255", c, value));
        if (!std::isfinite(value))
            throw UsageError(fmt::format("warp: options.border[{}] is {}; it must be finite", c, value));
        samples[c] = static_cast<T>(value);
    }
    return samples;
}

}  // namespace

Affine inverse(const Affine& affine) {
    if (!is_finite(affine))
        throw UsageError(fmt::format("the affine transform [{} {} {}; {} {} {}] is not finite", affine.m[0][0],
                                     affine.m[0][1], affine.m[0][2], affine.m[1][0], affine.m[1][1], affine.m[1][2]));
    const Affine result = inverse_of(affine);
    if (!is_finite(result))
        throw UsageError(fmt::format(
            "the affine transform [{} {} {}; {} {} {}] has the determinant {} and no inverse in double", affine.m[0][0],
            affine.m[0][1], affine.m[0][2], affine.m[1][0], affine.m[1][1], affine.m[1][2], determinant(affine)));
    return result;
}

template <class T>
void warp(const ImageView<const T>& in, const ImageView<T>& out, const WarpOptions& options, Target target) {
    image::require_view("warp", "in", in);
    image::require_view("warp", "out", out);
    if (in.channels != out.channels)
        throw UsageError(
            fmt::format("warp: in has {} channels and out {}; they must be equal", in.channels, out.channels));
    if (options.convention == Convention::legacy)
        throw UsageError("warp: the convention legacy is of resizing; opencv and float are right");
    const WarpArgs<T> args{in,
                           out,
                           options.affine,
                           inverse(options.affine),
                           options.convention,
                           border_of<T>(options.border, in.channels)};
    if (!args.empty()) image::launch(lanework_operation_warp, args, target);
}

template void warp(const ImageView<const std::uint8_t>&, const ImageView<std::uint8_t>&, const WarpOptions&, Target);
template void warp(const ImageView<const float>&, const ImageView<float>&, const WarpOptions&, Target);

}  // namespace lanework
