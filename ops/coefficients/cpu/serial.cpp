// One element after the other. The coefficients stay in the first-level cache, and each factor waits for the product of
// those before it.
#include "ops/coefficients/operation.hpp"

namespace {
void launch(const CoefficientsArgs& a, Team) {
    for (std::int64_t i = 0; i < a.n; ++i) {
        std::uint32_t product = 1;
        for (std::int64_t k = 0; k < a.degree; ++k)
            product = times_factor(product, static_cast<std::uint32_t>(a.in[i]),
                                   static_cast<std::uint32_t>(a.coefficients[k]));
        a.out[i] = static_cast<std::int32_t>(product);
    }
}
}  // namespace

LANEWORK_RUNG(coefficients, serial,
              {
                  .lesson = "One element at a time loads every coefficient again, and waits for each multiplication.",
                  .launch = launch,
              });
