// Resizing: arguments checked, the top rung launched.
#include "ops/resize/operation.hpp"
#include "src/core/launch.hpp"
#include "src/pixels/checks.hpp"

extern const lanework::Operation lanework_operation_resize;

namespace lanework {

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
    image::launch(lanework_operation_resize, args, target);
}

template void resize(const ImageBatch<const std::uint8_t>&, const ImageBatch<std::uint8_t>&, Convention, Target);
template void resize(const ImageBatch<const float>&, const ImageBatch<float>&, Convention, Target);

}  // namespace lanework
