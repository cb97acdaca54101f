// The plain loop on one thread: what a compiler makes of it is the foot of the cpu ladder.
#include "ops/sobel/cpu/edge.hpp"

namespace {
template <SobelForm form>
void find_edges(const SobelArgs& a) {
    for (std::int64_t y = 0; y < a.height; ++y) {
        const Rows rows = rows_around(a, y);
        for (std::int64_t x = 0; x < a.width; ++x) a.edges[y * a.width + x] = edge_at<form>(rows, x, a.width);
    }
}

void launch(const SobelArgs& a, Team) {
    with_form(a.form, [&]<SobelForm form>() { find_edges<form>(a); });
}
}  // namespace

LANEWORK_RUNG(sobel, serial,
              {
                  .lesson = "One pixel after the other on one thread.",
                  .launch = launch,
              });
