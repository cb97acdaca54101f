// Letterboxing: arguments checked, the top rung launched; and where an image comes to lie, for whoever needs to know.
#include <limits>

#include "ops/letterbox/operation.hpp"
#include "src/core/launch.hpp"
#include "src/pixels/fit.hpp"
#include "src/pixels/fit_checks.hpp"

extern const lanework::Operation lanework_operation_letterbox;

namespace lanework {

FittedImage fit_image(std::int64_t height, std::int64_t width, std::int64_t out_height, std::int64_t out_width, Fit fit,
                      bool scale_up) {
    constexpr std::int64_t kMostSide = std::numeric_limits<std::int32_t>::max();
    for (const std::int64_t side : {height, width, out_height, out_width})
        if (side < 0 || side > kMostSide)
            throw UsageError(fmt::format("fit_image: {}×{} pixels into {}×{}; a side is from 0 to 2³¹ − 1", height,
                                         width, out_height, out_width));
    return fitted(height, width, out_height, out_width, fit, scale_up);
}

Affine to_source(const FittedImage& fitted, std::int64_t height, std::int64_t width) {
    return source_transform(fitted, height, width);
}

template <class T>
void letterbox(const ImageBatch<const T>& in, const ImageBatch<T>& out, const LetterboxOptions& options,
               Affine* to_source, Target target) {
    image::require_batch("letterbox", "in", in);
    image::require_batch("letterbox", "out", out);
    image::require_counterparts("letterbox", in, out.count, out.channels);
    const LetterboxArgs<T> args{in, out, image::checked<T>("letterbox", options, in.channels), to_source};
    if (!args.empty()) image::launch(lanework_operation_letterbox, args, target);
}

template void letterbox(const ImageBatch<const std::uint8_t>&, const ImageBatch<std::uint8_t>&, const LetterboxOptions&,
                        Affine*, Target);
template void letterbox(const ImageBatch<const float>&, const ImageBatch<float>&, const LetterboxOptions&, Affine*,
                        Target);

}  // namespace lanework
