// One thread, one word after another; the compiler makes vectors of it.
#include "ops/write/operation.hpp"

namespace {
void launch(const WriteArgs& a, Team) {
    const auto start = static_cast<std::uint32_t>(*a.start);
    for (std::int64_t i = 0; i < a.words; ++i)
        a.out[i] = static_cast<std::int32_t>(start + static_cast<std::uint32_t>(i));
}
}  // namespace

LANEWORK_RUNG(write, serial,
              {
                  .lesson = "A store to a line that is not in the cache reads the line before it writes it.",
                  .launch = launch,
              });
