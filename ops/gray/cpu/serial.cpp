// The plain loop on one thread: what a compiler makes of it is the foot of the cpu ladder.
#include "ops/gray/operation.hpp"

namespace {
void launch(const GrayArgs& a, Team) {
    with_form(a.form, [&]<GrayForm form>() {
        const std::uint8_t* in = a.rgb;
        for (std::uint8_t *out = a.gray, *end = a.gray + a.pixels(); out != end; ++out, in += 3)
            *out = static_cast<std::uint8_t>(gray_of<form>(in[0], in[1], in[2]));
    });
}
}  // namespace

LANEWORK_RUNG(gray, serial,
              {
                  .lesson = "One pixel after the other on one thread.",
                  .launch = launch,
              });
