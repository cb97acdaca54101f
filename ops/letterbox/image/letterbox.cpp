// Letterboxing: arguments checked, the top rung launched; and where an image comes to lie, for whoever needs to know.
#include <algorithm>
#include <limits>

#include "ops/letterbox/operation.hpp"
#include "ops/resize/image/resize.hpp"
#include "src/core/launch.hpp"
#include "src/pixels/fit.hpp"
#include "src/pixels/fit_checks.hpp"
#include "src/pixels/fitted_picture.hpp"

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
    if (args.empty()) return write_no_source(to_source, out.count, target);
    image::launch(lanework_operation_letterbox, args, target);
}

template void letterbox(const ImageBatch<const std::uint8_t>&, const ImageBatch<std::uint8_t>&, const LetterboxOptions&,
                        Affine*, Target);
template void letterbox(const ImageBatch<const float>&, const ImageBatch<float>&, const LetterboxOptions&, Affine*,
                        Target);

}  // namespace lanework

namespace {

void apply(const ImageCall& call) {
    const LetterboxOptions options = call.step.as<FittedPicture>().for_channels(call.in.channels);
    with_samples(call, [&]<class T>() {
        letterbox<T>(call.inputs<T>(), call.outputs<T>(), options, call.to_source, call.target);
    });
}

void check(const ImageStep& step, bool) { check_fitted(step, true); }

/// Begins and ends at whole samples of colours, except where the output ends.
void widen(std::int64_t& begin, std::int64_t& length, std::int64_t spacing, std::int64_t end) {
    begin = begin / spacing * spacing;
    length = std::min((length + spacing - 1) / spacing * spacing, end - begin);
}

PlaneStep place_plane(const ImageStep& step, const PlaneOfVideo& plane) {
    const auto& options = step.as<FittedPicture>();
    const PlaneSpacing& spacing = plane.spacing;
    FittedImage luma = options.place_of(plane.luma, plane.made_luma);
    widen(luma.top, luma.height, plane.chroma.down, plane.made_luma.height);
    widen(luma.left, luma.width, plane.chroma.across, plane.made_luma.width);
    const PictureShape made{(luma.height + spacing.down - 1) / spacing.down,
                            (luma.width + spacing.across - 1) / spacing.across, 1};
    return {.step = ImageStep(lanework_image_operation_resize,
                              ResizePicture{{made.width, made.height, 0}, options.letterbox.convention}),
            .made = made,
            .top = luma.top / spacing.down,
            .left = luma.left / spacing.across,
            .stretches = options.letterbox.fit == Fit::stretch};
}

}  // namespace

LANEWORK_IMAGE_OPERATION(
    letterbox, FittedPicture,
    {
        .help = "resize, keep the aspect ratio, pad",
        .place = 50,
        .options = kFittedOptions,
        .apply = apply,
        .check = check,
        .back = back_from_fitted,
        .plane = place_plane,
        .signature = R"(images, size, fit="centred", convention="opencv", *, scale_up=True, pad=114)",
        .doc =
            R"(Fits images into size = (height, width): (image, to_source), or a list of images and to_source for each.

    fit        centred, top_left: the aspect ratio is kept and the rest padded; stretch: nothing is padded
    scale_up   False: smaller images keep their size
    to_source  2 × 3, from coordinates (x, y, 1) in the output to those in the source
    )",
        .gives_back = true,
    });
