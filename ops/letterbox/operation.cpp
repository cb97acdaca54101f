// What letterbox is, which shapes it is verified and timed on, and what it must cost at least.
#include "ops/letterbox/operation.hpp"

#include "src/core/hard_inputs.hpp"
#include "src/pixels/fitted_shapes.hpp"
#include "src/pixels/problem_checks.hpp"

namespace {

constexpr std::string_view kVariants[] = {"centred_opencv",  "centred_float",  "centred_legacy",
                                          "top_left_opencv", "top_left_float", "top_left_legacy",
                                          "stretch_opencv",  "stretch_float",  "stretch_legacy"};

template <class T, Convention convention>
void fit_one(const LetterboxArgs<T>& a, std::int64_t k) {
    const ImageView<T> out = image_of(a.out, k);
    const auto source = FittedSource<T, convention>::of(image_of(a.in, k), out.height, out.width, a.options);
    for (std::int64_t y = 0; y < out.height; ++y)
        for (std::int64_t x = 0; x < out.width; ++x) {
            const auto rows = source.rows(y);
            const auto columns = source.columns(x);
            for (int c = 0; c < out.channels; ++c)
                row_of(out, y)[x * out.channels + c] = rows.first < 0 || columns.first < 0
                                                           ? static_cast<T>(a.options.pad[static_cast<std::size_t>(c)])
                                                           : as_sample<T>(source.mixed(rows, columns, c));
        }
    if (a.to_source) a.to_source[k] = source.to_source();
}

template <class T>
void reference(const LetterboxArgs<T>& a) {
    if (a.empty()) return;
    with_convention(a.options.convention, [&]<Convention convention>() {
        for (std::int64_t k = 0; k < a.out.count; ++k) fit_one<T, convention>(a, k);
    });
}

std::vector<BufferSpec> buffers(const Problem& p) {
    require_images("letterbox", p, 4);
    return {image_array("in", Role::input, p.dtype, fitting::source_shape(p)),
            fitting::places_array("in_places", p),
            fitting::places_array("out_places", p),
            image_array("out", Role::output, p.dtype, fitting::target_shape(p, p.lengths<fitting::Axes>().margin)),
            {"to_source", Role::output, DType::float64, fitting::transform_words(p)}};
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto [in, in_places, out_places] = b.arrays<void, void, void>();
    fitting::fill_sources(p, p.dtype, seed, in, in_places);
    fitting::fill_places(out_places, p,
                         p.dtype == DType::uint8 ? fitting::target_place<std::uint8_t> : fitting::target_place<float>);
}

}  // namespace

LANEWORK_OPERATION(
    letterbox, {
                   .summary = "out[k] = in[k] resized to fit, padded around; to_source[k] = the way back",
                   .axes = fitting::Axes::names,
                   .usual = fitting::kUsual,
                   .variants = kVariants,
                   .verified = fitting::kVerified,
                   .timed = {.cuda = fitting::kTimedOnGpu, .simt = fitting::kTimedOnSimt, .cpu = fitting::kTimedOnCpu},
                   .draw = fitting::draw,
                   .buffers = buffers,
                   .work = [](const Problem& p) { return fitting::work(p, p.dtype, letterbox_options(p.variant)); },
                   .fill = fill,
                   .inputs = kHardSamples<has_floats>,
                   .reference = {reference<std::uint8_t>, reference<float>},
                   .tolerance = fitting::tolerance,
               });
