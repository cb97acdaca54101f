// gray: checked arguments for the top rung of its ladder.
#include "ops/gray/operation.hpp"

#include "src/core/launch.hpp"
#include "src/pixels/checks.hpp"
#include "src/pixels/image_options.hpp"

namespace lanework {
namespace {

template <class T>
void require_gray(const ImageView<const T>& in, const ImageView<T>& out) {
    image::require_view("gray", "in", in);
    image::require_view("gray", "out", out);
    if (in.channels == 1) throw UsageError("gray: in.channels is 1; 3 (colour) and 4 (with alpha) are right");
    if (out.channels != 1) throw UsageError(fmt::format("gray: out.channels is {}; 1 is right", out.channels));
    if (in.height != out.height || in.width != out.width)
        throw UsageError(fmt::format("gray: out is {}×{} pixels and in {}×{}; they must be equal", out.height,
                                     out.width, in.height, in.width));
}

}  // namespace

template <class T>
void gray(const ImageView<const T>& in, const ImageView<T>& out, const GrayOptions& options, Target target) {
    require_gray(in, out);
    const GrayArgs<T> args{in, out, options.form, options.order};
    if (!args.empty()) image::launch(find_operation("gray"), args, target);
}

template void gray(const ImageView<const std::uint8_t>&, const ImageView<std::uint8_t>&, const GrayOptions&, Target);
template void gray(const ImageView<const float>&, const ImageView<float>&, const GrayOptions&, Target);

}  // namespace lanework

namespace {

constexpr std::string_view kForms[] = {"opencv", "weighted", "mean", "max"}, kOrders[] = {"rgb", "bgr"};
constexpr ImageOption kOptions[] = {
    image_options::choice(offsetof(GrayOptions, form), "--variant", "form", kForms, "opencv, weighted, mean or max"),
    image_options::choice(offsetof(GrayOptions, order), {}, "order", kOrders)};

void apply(const ImageCall& call) {
    with_samples(
        call, [&]<class T>() { gray<T>(call.input<T>(), call.output<T>(), call.step.as<GrayOptions>(), call.target); });
}

/// The luma as it is.
PlaneStep keep_luma(const ImageStep& step, const PlaneOfVideo& plane) {
    if (step.as<GrayOptions>().form != GrayForm::opencv)
        throw UsageError("gray of a video is its luma; --variant is for pictures");
    return {std::nullopt, plane.made};
}

}  // namespace

LANEWORK_IMAGE_OPERATION(
    gray, GrayOptions,
    {
        .help = "gray values",
        .place = 10,
        .makes = ImageResult::gray,
        .options = kOptions,
        .apply = apply,
        .plane = keep_luma,
        .signature = R"(image, form="opencv", order="rgb")",
        .doc = "One gray value for each pixel: height × width. The forms are those of `lanework image gray --variant`.",
    });
