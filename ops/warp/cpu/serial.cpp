// Pixel after pixel on one thread: the arithmetic as it is written, with a test before every tap.
#include "ops/warp/blend.hpp"

namespace {
template <class T>
void launch(const WarpArgs<T>& a, Team) {
    with_positions(a, [&]<class Number>() {
        for (std::int64_t y = 0; y < a.out.height; ++y) {
            const auto row = row_terms<Number>(a.to_in, y);
            T* out = row_of(a.out, y);
            for (std::int64_t x = 0; x < a.out.width; ++x) {
                const auto site = site_of(column_terms<Number>(a.to_in, x), row);
                for (int c = 0; c < a.out.channels; ++c) *out++ = sample_at(a.in, site, c, a.border[c]);
            }
        }
    });
}
}  // namespace

LANEWORK_RUNG(warp, serial,
              {
                  .lesson = "One pixel after the other on one thread, with a test before every tap.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
