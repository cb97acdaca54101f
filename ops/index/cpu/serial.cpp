// The loop that a launch replaces: one thread counts where a GPU's threads each work out their own number.
#include "ops/index/operation.hpp"

namespace {

void launch(const IndexArgs& a, Team) {
    for (std::int64_t i = 0; i < a.n; ++i) a.out[i] = static_cast<std::uint64_t>(i);
}

}  // namespace

LANEWORK_RUNG(index, serial,
              {
                  .lesson = "A loop counter is the index that every thread of a launch computes for itself.",
                  .launch = launch,
              });
