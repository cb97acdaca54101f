// What tensor is, which shapes it is verified and timed on, and what it must cost at least.
#include "ops/tensor/operation.hpp"

#include "ops/tensor/element.hpp"
#include "src/core/hard_inputs.hpp"
#include "src/pixels/fitted_shapes.hpp"
#include "src/pixels/problem_checks.hpp"

namespace {

constexpr std::string_view kVariants[] = {"bytes_centred_opencv",   "bytes_centred_float",   "bytes_centred_legacy",
                                          "bytes_top_left_opencv",  "bytes_top_left_float",  "bytes_top_left_legacy",
                                          "bytes_stretch_opencv",   "bytes_stretch_float",   "bytes_stretch_legacy",
                                          "floats_centred_opencv",  "floats_centred_float",  "floats_centred_legacy",
                                          "floats_top_left_opencv", "floats_top_left_float", "floats_top_left_legacy",
                                          "floats_stretch_opencv",  "floats_stretch_float",  "floats_stretch_legacy"};

bool has_float_samples(const Problem& p) { return TensorVariant::of(p.variant).float_input; }
DType input_type(const Problem& p) { return has_float_samples(p) ? DType::float32 : DType::uint8; }

template <class In, Convention convention, class Out>
void fit_one(const TensorArgs<Out>& a, std::int64_t k) {
    const auto source = FittedSource<In, convention>::of(image_of(a.template images<In>(), k), a.out.height,
                                                         a.out.width, a.options.letterbox);
    Out* out = a.out.data + k * a.out.channels * a.plane();
    for (int c = 0; c < a.out.channels; ++c)
        for (std::int64_t y = 0; y < a.out.height; ++y)
            for (std::int64_t x = 0; x < a.out.width; ++x) *out++ = element_at(a, source, c, y, x);
    if (a.to_source) a.to_source[k] = source.to_source();
}

template <class Out>
void reference(const TensorArgs<Out>& a) {
    if (a.empty()) return;
    with_input(a, [&]<class In, Convention convention>() {
        for (std::int64_t k = 0; k < a.out.count; ++k) fit_one<In, convention>(a, k);
    });
}

std::vector<BufferSpec> buffers(const Problem& p) {
    require_images("tensor", p, 4);
    return {image_array("in", Role::input, input_type(p), fitting::source_shape(p)),
            fitting::places_array("in_places", p),
            {"out", Role::output, p.dtype, static_cast<std::size_t>(fitting::target_shape(p, 0).samples())},
            {"to_source", Role::output, DType::float64, fitting::transform_words(p)}};
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto [in, in_places] = b.arrays<void, void>();
    fitting::fill_sources(p, input_type(p), seed, in, in_places);
}

}  // namespace

LANEWORK_OPERATION(
    tensor, {
                .summary = "out[k][c][y][x] = (letterbox(in[k])[y][x][c] · scale − mean[c]) / std[c]",
                .axes = fitting::Axes::names,
                .usual = fitting::kUsual,
                .variants = kVariants,
                .verified = fitting::kVerified,
                .timed = {.cuda = fitting::kTimedOnGpu, .simt = fitting::kTimedOnSimt, .cpu = fitting::kTimedOnCpu},
                .draw = fitting::draw,
                .buffers = buffers,
                .work =
                    [](const Problem& p) {
                        return fitting::work(p, input_type(p), TensorVariant::of(p.variant).options.letterbox);
                    },
                .fill = fill,
                .inputs = kHardSamples<has_float_samples>,
                .reference = {reference<float>, reference<float16>},
                .tolerance = fitting::tolerance,
            });
