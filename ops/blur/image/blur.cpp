// blur: checked arguments for the top rung of its ladder.
#include "ops/blur/operation.hpp"

#include "src/core/launch.hpp"
#include "src/pixels/checks.hpp"
#include "src/pixels/image_operation.hpp"

namespace lanework {

template <class T>
void blur(const ImageView<const T>& in, const ImageView<T>& out, Target target) {
    image::require_view("blur", "in", in);
    image::require_view("blur", "out", out);
    image::require_same_shape("blur", in, out);
    const BlurArgs<T> args{in, out};
    if (!args.empty()) image::launch(find_operation("blur"), args, target);
}

template void blur(const ImageView<const std::uint8_t>&, const ImageView<std::uint8_t>&, Target);
template void blur(const ImageView<const float>&, const ImageView<float>&, Target);

}  // namespace lanework

namespace {

void apply(const ImageCall& call) {
    with_samples(call, [&]<class T>() { blur<T>(call.input<T>(), call.output<T>(), call.target); });
}

}  // namespace

LANEWORK_IMAGE_OPERATION(blur, NoImageOptions,
                         {
                             .help = "3x3 Gaussian",
                             .place = 20,
                             .apply = apply,
                             .plane = plane_like_picture,
                             .signature = "image",
                             .doc = "The 3×3 Gaussian of every channel, border reflect-101.",
                         });
