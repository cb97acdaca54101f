// Eight tables, one for each place in a word: equal neighbours no longer wait for each other.
#include "ops/histogram/cpu/tables.hpp"

namespace {
void launch(const HistogramArgs& a, Team) {
    Tables tables;
    tables.count(a.in, a.n);
    for (int bin = 0; bin < kBins; ++bin) a.counts[bin] = tables[bin];
}
}  // namespace

LANEWORK_RUNG(histogram, several_tables,
              {
                  .climbs_from = "serial",
                  .lesson = "Several tables taken in turn: equal neighbours add to different counters.",
                  .launch = launch,
                  .fits = OneRow<histogram_signature>::fits,
                  .only = kRowsTouch,
              });
