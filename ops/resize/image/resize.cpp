// Resizing: arguments checked, the top rung launched.
#include "ops/resize/image/resize.hpp"
#include "ops/resize/operation.hpp"
#include "src/core/launch.hpp"
#include "src/pixels/checks.hpp"
#include "src/pixels/image_options.hpp"

extern const lanework::Operation lanework_operation_resize;

namespace lanework {
namespace {

/// Images of a batch that the processor can look at: one without pixels would leave its output as it is.
template <class T>
void require_pixels(const ImageBatch<const T>& in, const ImageBatch<T>& out) {
    const auto is_empty = [](const ImagePlace& place) { return place.height == 0 || place.width == 0; };
    for (std::int64_t k = 0; in.places && out.places && k < in.count; ++k)
        if (is_empty(in.places[k]) && !is_empty(out.places[k]))
            throw UsageError(
                fmt::format("resize: image {} is {}×{} pixels and its output {}×{}; nothing can only become nothing", k,
                            in.places[k].height, in.places[k].width, out.places[k].height, out.places[k].width));
}

}  // namespace

template <class T>
void resize(const ImageBatch<const T>& in, const ImageBatch<T>& out, Convention convention, Target target) {
    image::require_batch("resize", "in", in);
    image::require_batch("resize", "out", out);
    if (in.channels != out.channels)
        throw UsageError(
            fmt::format("resize: in has {} channels and out {}; they must be equal", in.channels, out.channels));
    if (in.count != out.count)
        throw UsageError(fmt::format("resize: in has {} images and out {}; they must be equal", in.count, out.count));
    const ResizeArgs<T> args{in, out, convention};
    const bool out_empty = out.count == 0 || out.most_height == 0 || out.most_width == 0;
    if (out_empty) return;
    if (args.empty())
        throw UsageError(fmt::format("resize: in is {}×{} pixels and out {}×{}; nothing can only become nothing",
                                     in.most_height, in.most_width, out.most_height, out.most_width));
    if (target.kind() == DeviceKind::cpu) require_pixels(in, out);
    image::launch(lanework_operation_resize, args, target);
}

template void resize(const ImageBatch<const std::uint8_t>&, const ImageBatch<std::uint8_t>&, Convention, Target);
template void resize(const ImageBatch<const float>&, const ImageBatch<float>&, Convention, Target);

}  // namespace lanework

namespace {

constexpr ImageOption kOptions[] = {
    image_options::size(offsetof(ResizePicture, size)),
    image_options::width(offsetof(ResizePicture, size), "Columns alone: {} keeps the aspect ratio"),
    image_options::height(offsetof(ResizePicture, size), "Rows alone: {} keeps the aspect ratio"),
    image_options::number(ImageOptionKind::factor, offsetof(ResizePicture, size), "--scale", {}, "X",
                          "factor of both sides", "a number above 0, such as 0.5"),
    image_options::convention(offsetof(ResizePicture, convention))};

void apply(const ImageCall& call) {
    with_samples(call, [&]<class T>() {
        resize<T>(call.inputs<T>(), call.outputs<T>(), call.step.as<ResizePicture>().convention, call.target);
    });
}

void check(const ImageStep& step, bool) {
    if (step.as<ResizePicture>().size == WantedSize{})
        throw UsageError("resize: the size is missing: --size 360x640, --width, --height or --scale 0.5");
}

Affine back(const ImageStep&, const PictureShape& in, const PictureShape& out) {
    return to_source(FittedImage{0, 0, out.height, out.width}, in.height, in.width);
}

PlaneStep resize_plane(const ImageStep& step, const PlaneOfVideo& plane) {
    ImageStep to_size = step;
    to_size.at<WantedSize>(offsetof(ResizePicture, size)) = {plane.made.width, plane.made.height, 0};
    return {.step = to_size, .made = plane.made, .stretches = true};
}

}  // namespace

LANEWORK_IMAGE_OPERATION(
    resize, ResizePicture,
    {
        .place = 40,
        .options = kOptions,
        .apply = apply,
        .check = check,
        .back = back,
        .plane = resize_plane,
        .signature = R"(images, size, convention="opencv")",
        .doc = "Bilinear resampling to size = (height, width); of a list of images a list, and `out` is one, too.",
    });
