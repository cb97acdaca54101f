// A network's input: arguments checked, the top rung launched.
#include <limits>

#include "ops/tensor/operation.hpp"
#include "src/core/array_checks.hpp"
#include "src/core/launch.hpp"
#include "src/pixels/fit_checks.hpp"

extern const lanework::Operation lanework_operation_tensor;

namespace lanework {
namespace {

template <class Out>
void require_tensor(const TensorView<Out>& out) {
    constexpr std::int64_t kMostSide = std::numeric_limits<std::int32_t>::max();
    if (out.count < 0 || out.height < 0 || out.width < 0 || out.height > kMostSide || out.width > kMostSide)
        throw UsageError(fmt::format("tensor: out is {}×{}×{}×{}; a length is from 0 to 2³¹ − 1", out.count,
                                     out.channels, out.height, out.width));
    if (out.count == 0 || out.height == 0 || out.width == 0) return;
    image::require_elements("tensor", {out.count, std::max<std::int64_t>(out.channels, 1), out.height, out.width});
    if (!out.data) throw UsageError("tensor: out has no address");
    if (reinterpret_cast<std::uintptr_t>(out.data) % sizeof(Out) != 0)
        throw UsageError(fmt::format("tensor: out does not begin at a multiple of {} bytes", sizeof(Out)));
}

void require_normalisation(const TensorOptions& options, int channels) {
    if (options.swap_red_blue && channels == 1)
        throw UsageError("tensor: swap_red_blue is set, and in has 1 channel; 3 or 4 are right");
    for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c)
        if (!(options.std[c] != 0) || !std::isfinite(options.std[c]) || !std::isfinite(options.mean[c]))
            throw UsageError(fmt::format("tensor: channel {} has mean {} and std {}; both are finite, and std is not 0",
                                         c, options.mean[c], options.std[c]));
    if (!std::isfinite(options.scale))
        throw UsageError(fmt::format("tensor: scale is {}; a finite number is right", options.scale));
}

}  // namespace

template <class In, class Out>
void tensor(const ImageBatch<const In>& in, const TensorView<Out>& out, const TensorOptions& options, Affine* to_source,
            Target target) {
    image::require_batch("tensor", "in", in);
    require_tensor(out);
    image::require_counterparts("tensor", in, out.count, out.channels);
    require_normalisation(options, in.channels);
    TensorOptions checked = options;
    checked.letterbox = image::checked<In>("tensor", options.letterbox, in.channels);
    const TensorArgs<Out> args{std::is_same_v<In, float>, as_bytes(in), out, checked, to_source};
    if (!args.empty()) image::launch(lanework_operation_tensor, args, target);
}

#define LANEWORK_TENSOR_OF(In, Out) \
    template void tensor(const ImageBatch<const In>&, const TensorView<Out>&, const TensorOptions&, Affine*, Target);
LANEWORK_TENSOR_OF(std::uint8_t, float)
LANEWORK_TENSOR_OF(std::uint8_t, float16)
LANEWORK_TENSOR_OF(float, float)
LANEWORK_TENSOR_OF(float, float16)
#undef LANEWORK_TENSOR_OF

}  // namespace lanework
