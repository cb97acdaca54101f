// One candidate after the other: of v5 along its row, of v8 down a column, a line of the cache for every number.
#include "ops/decode/scores.hpp"

namespace {
void launch(const DecodeArgs& a, Team) {
    for (std::int64_t image = 0; image < a.images; ++image)
        for (std::int64_t index = 0; index < a.n; ++index) decode_one(a, image, index);
}
}  // namespace

LANEWORK_RUNG(decode, serial,
              {
                  .lesson = "One candidate after the other on one thread.",
                  .launch = launch,
              });
