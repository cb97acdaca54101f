// The plain loop on one thread: the taps of a row once, those of a column again for every row.
#include "ops/resize/pixel.hpp"

namespace {
template <Convention convention, class T>
void resize_image(const ResizePair<T>& pair) {
    for (std::int64_t y = 0; y < pair.out.height; ++y) {
        const Tap row = row_tap<convention>(pair.rows, y);
        T* out = row_of(pair.out, y);
        for (std::int64_t x = 0; x < pair.out.width; ++x) {
            const Tap column = column_tap<convention>(pair.columns, x);
            for (int channel = 0; channel < pair.out.channels; ++channel)
                *out++ = sample_at<convention>(pair, row, column, channel);
        }
    }
}

template <class T>
void launch(const ResizeArgs<T>& a, Team) {
    with_convention(a.convention, [&]<Convention convention>() {
        for (std::int64_t image = 0; image < a.out.count; ++image) {
            const ResizePair<T> pair = pair_of<convention>(a, image);
            if (!pair.empty()) resize_image<convention>(pair);
        }
    });
}
}  // namespace

LANEWORK_RUNG(resize, serial,
              {
                  .lesson = "One pixel after the other on one thread, its taps computed in place.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
