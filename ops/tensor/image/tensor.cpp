// A network's input: arguments checked, the top rung launched.
#include <algorithm>
#include <array>
#include <limits>

#include "ops/tensor/operation.hpp"
#include "src/core/array_checks.hpp"
#include "src/core/launch.hpp"
#include "src/pixels/fit_checks.hpp"
#include "src/pixels/fitted_picture.hpp"

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
    if (args.empty()) return write_no_source(to_source, out.count, target);
    image::launch(lanework_operation_tensor, args, target);
}

#define LANEWORK_TENSOR_OF(In, Out) \
    template void tensor(const ImageBatch<const In>&, const TensorView<Out>&, const TensorOptions&, Affine*, Target);
LANEWORK_TENSOR_OF(std::uint8_t, float)
LANEWORK_TENSOR_OF(std::uint8_t, float16)
LANEWORK_TENSOR_OF(float, float)
LANEWORK_TENSOR_OF(float, float16)
#undef LANEWORK_TENSOR_OF

}  // namespace lanework

namespace {

struct TensorPicture {
    FittedPicture fitted;
    TensorOptions tensor;
    std::uint8_t element = 0;
};
constexpr std::string_view kElements[] = {"float32", "float16"};
constexpr std::string_view kThree = "one number or three, like 0.485,0.456,0.406";
constexpr ImageOption kNormalisation[] = {
    image_options::number(ImageOptionKind::number32, offsetof(TensorPicture, tensor.scale), "--scale", "scale", "X",
                          "factor of the samples (1/255)", "a number above 0, such as 1 or 0.0039215686",
                          [](double value) { return value > 0; }),
    image_options::number(ImageOptionKind::channels, offsetof(TensorPicture, tensor.mean), "--mean", "mean", "V[,V,V]",
                          "taken off the scaled samples (0)", kThree),
    image_options::number(
        ImageOptionKind::channels, offsetof(TensorPicture, tensor.std), "--std", "std", "V[,V,V]",
        "what they are then divided by (1)", kThree, [](double value) { return value != 0; }, "numbers other than 0"),
    image_options::flag(offsetof(TensorPicture, tensor.swap_red_blue), "--swap", "swap_red_blue",
                        "blue, green, red instead of red, green, blue"),
    {ImageOptionKind::element, offsetof(TensorPicture, element), "--dtype", "dtype", kElements, "NAME",
     "float32 or float16 (float32)"}};
constexpr auto kOptions = [] {
    std::array<ImageOption, std::size(kFittedOptions) + std::size(kNormalisation)> options{};
    std::ranges::copy(kNormalisation, std::ranges::copy(kFittedOptions, options.begin()).out);
    return options;
}();

template <class In, class Out>
void make_tensor(const ImageCall& call, const TensorOptions& options) {
    const TensorView<Out> out{reinterpret_cast<Out*>(call.out.base), call.in.count, call.out.channels,
                              call.out.most_height, call.out.most_width};
    tensor<In, Out>(call.inputs<In>(), out, options, call.to_source, call.target);
}

void apply(const ImageCall& call) {
    const auto& picture = call.step.as<TensorPicture>();
    TensorOptions options = picture.tensor;
    options.letterbox = picture.fitted.for_channels(call.in.channels);
    with_samples(call, [&]<class T>() {
        call.step.element() == DType::float16 ? make_tensor<T, float16>(call, options)
                                              : make_tensor<T, float>(call, options);
    });
}

/// After another step it keeps the size of what that made.
void check(const ImageStep& step, bool first) {
    check_fitted(step, first || step.as<FittedPicture>().size != WantedSize{});
}

}  // namespace

LANEWORK_IMAGE_OPERATION(
    tensor, TensorPicture,
    {
        .help = "a network's input",
        .place = 70,
        .makes = ImageResult::array,
        .options = kOptions,
        .apply = apply,
        .check = check,
        .back = back_from_fitted,
        .signature =
            R"(images, size, fit="centred", convention="opencv", *, scale_up=True, pad=114, swap_red_blue=False, scale=1 / 255,
    mean=0, std=1, dtype=np.float32)",
        .doc = R"(A network's input of one image or of several: (tensor, to_source), count × channels × height × width.

    Fitted as letterbox does, channels 0 and 2 exchanged if asked for, then (sample · scale − mean) / std in float32 or
    float16. to_source is count × 2 × 3.
    )",
        .gives_back = true,
    });
