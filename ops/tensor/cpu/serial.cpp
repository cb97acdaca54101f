// One pixel after the other on one thread, all channels of a pixel together.
#include "ops/tensor/element.hpp"

namespace {
template <class In, Convention convention, class Out>
void fit_one(const TensorArgs<Out>& a, std::int64_t k) {
    const auto source = FittedSource<In, convention>::of(image_of(a.template images<In>(), k), a.out.height,
                                                         a.out.width, a.options.letterbox);
    const Normalisation normalised = Normalisation::of(a.options);
    Out* out = a.out.data + k * a.out.channels * a.plane();
    for (std::int64_t y = 0; y < a.out.height; ++y) {
        const auto rows = source.rows(y);
        for (std::int64_t x = 0; x < a.out.width; ++x, ++out) {
            const auto columns = source.columns(x);
            const bool padding = rows.first < 0 || columns.first < 0;
            for (int c = 0; c < a.out.channels; ++c) {
                const int from = a.source_channel(c);
                const float sample = padding ? a.options.letterbox.pad[static_cast<std::size_t>(from)]
                                             : static_cast<float>(source.mixed(rows, columns, from));
                out[c * a.plane()] = as_element<Out>(normalised.element(c, sample));
            }
        }
    }
    if (a.to_source) a.to_source[k] = source.to_source();
}

template <class Out>
void launch(const TensorArgs<Out>& a, Team) {
    if (a.empty()) return;
    with_input(a, [&]<class In, Convention convention>() {
        for (std::int64_t k = 0; k < a.out.count; ++k) fit_one<In, convention>(a, k);
    });
}
}  // namespace

LANEWORK_RUNG(tensor, serial,
              {
                  .lesson = "Every step in one pass over the pixels: no image is written in between.",
                  .launch = {launch<float>, launch<float16>},
              });
