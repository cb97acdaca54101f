// gray: checked arguments for the top rung of its ladder.
#include "ops/gray/operation.hpp"

#include "src/core/launch.hpp"
#include "src/pixels/checks.hpp"

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
