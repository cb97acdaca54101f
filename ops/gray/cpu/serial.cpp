// The plain loop on one thread: what a compiler makes of it is the foot of the cpu ladder.
#include "ops/gray/operation.hpp"
#include "src/pixels/rows.hpp"

namespace {
template <class T>
void launch(const GrayArgs<T>& a, Team) {
    const int red = red_of(a.order), blue = 2 - red;
    with_form(a.form, [&]<GrayForm form>() {
        for (std::int64_t y = 0; y < a.in.height; ++y) {
            const T* in = row_of(a.in, y);
            T* const out = row_of(a.out, y);
            for (std::int64_t x = 0; x < a.in.width; ++x, in += a.in.channels)
                out[x] = gray_of<form>(in[red], in[1], in[blue]);
        }
    });
}
}  // namespace

LANEWORK_RUNG(gray, serial,
              {
                  .lesson = "One pixel after the other on one thread.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
