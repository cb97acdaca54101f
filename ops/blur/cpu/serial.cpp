// The plain loop on one thread: what a compiler makes of it is the foot of the cpu ladder.
#include "ops/blur/cpu/sample.hpp"

namespace {
template <class T>
void launch(const BlurArgs<T>& a, Team) {
    for (std::int64_t y = 0; y < a.in.height; ++y) blur_samples(a, y, 0, a.in.width * a.in.channels);
}
}  // namespace

LANEWORK_RUNG(blur, serial,
              {
                  .lesson = "One sample after the other on one thread.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
