// The plain loop on one thread: what a compiler makes of it is the foot of the cpu ladder.
#include "ops/sobel/cpu/sample.hpp"

namespace {
template <class T>
void launch(const SobelArgs<T>& a, Team) {
    with_output(a.output, [&]<SobelOutput output>() {
        for (std::int64_t y = 0; y < a.in.height; ++y) find_edges_at<output>(a, y, 0, a.samples());
    });
}
}  // namespace

LANEWORK_RUNG(sobel, serial,
              {
                  .lesson = "One sample after the other on one thread.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
