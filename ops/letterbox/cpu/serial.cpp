// One pixel after the other on one thread, the taps of a row kept for its whole length.
#include "ops/letterbox/operation.hpp"
#include "src/pixels/fitted_source.hpp"

namespace {
template <class T, Convention convention>
void fit_one(const LetterboxArgs<T>& a, std::int64_t k) {
    const ImageView<T> out = image_of(a.out, k);
    const auto source = FittedSource<T, convention>::of(image_of(a.in, k), out.height, out.width, a.options);
    for (std::int64_t y = 0; y < out.height; ++y) {
        const auto rows = source.rows(y);
        T* to = row_of(out, y);
        for (std::int64_t x = 0; x < out.width; ++x, to += out.channels) {
            const auto columns = source.columns(x);
            const bool padding = rows.first < 0 || columns.first < 0;
            for (int c = 0; c < out.channels; ++c)
                to[c] = padding ? static_cast<T>(a.options.pad[static_cast<std::size_t>(c)])
                                : as_sample<T>(source.mixed(rows, columns, c));
        }
    }
    if (a.to_source) a.to_source[k] = source.to_source();
}

template <class T>
void launch(const LetterboxArgs<T>& a, Team) {
    if (a.empty()) return;
    with_convention(a.options.convention, [&]<Convention convention>() {
        for (std::int64_t k = 0; k < a.out.count; ++k) fit_one<T, convention>(a, k);
    });
}
}  // namespace

LANEWORK_RUNG(letterbox, serial,
              {
                  .lesson = "One pixel after the other on one thread; each asks anew where its column lies.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
