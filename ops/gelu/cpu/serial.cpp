// One element after the other with the C library's functions.
#include "ops/gelu/cpu/arithmetic.hpp"

namespace {
template <class T>
void launch(const GeluArgs<T>& a, Team) {
    gelu_range(a, 0, 0, a.n);
}
}  // namespace

LANEWORK_RUNG(gelu, serial,
              {
                  .lesson = "A call of the C library for each element: arithmetic, not memory, is what takes the time.",
                  .launch = {launch<float>, launch<float16>, launch<bfloat16>},
                  .fits = OneRow<gelu_signature>::fits,
                  .only = kRowsTouch,
              });
