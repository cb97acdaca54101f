// A processor works on the host's arrays where they are: there is nothing to upload, and one loop is all.
#include "ops/pipeline/mean.hpp"

namespace {
void launch(const PipelineArgs& a, Team) {
    for (std::int64_t i = 0; i < a.n; ++i) a.c[i] = mean_of_means(a.a, a.b, i, a.n);
}
}  // namespace

LANEWORK_RUNG(pipeline, serial,
              {
                  .lesson = "No link, no pipeline: one loop over the host's arrays, and two comparisons per element.",
                  .launch = launch,
              });
