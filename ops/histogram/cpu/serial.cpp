// One table and one byte after the other. Equal neighbours are the slow ones: each addition waits until the one before
// it has reached the table.
#include <algorithm>

#include "ops/histogram/operation.hpp"

namespace {
void launch(const HistogramArgs& a, Team) {
    std::fill_n(a.counts, kBins, 0);
    for (std::int64_t i = 0; i < a.n; ++i) ++a.counts[a.in[i]];
}
}  // namespace

LANEWORK_RUNG(histogram, serial,
              {
                  .lesson = "A table of counters; an addition to the counter just stored waits for that store.",
                  .launch = launch,
                  .fits = OneRow<histogram_signature>::fits,
                  .only = kRowsTouch,
              });
