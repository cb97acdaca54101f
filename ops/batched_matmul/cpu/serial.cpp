// The definition: product after product, a row times a column.
#include "ops/batched_matmul/operation.hpp"

namespace {
template <class T>
void launch(const BatchedMatmulArgs<T>& all, Team) {
    for (std::int64_t p = 0; p < all.products; ++p) {
        const MatmulOperands<T> x = all.product(p);
        const std::int64_t to_next_row = x.b_by_columns ? 1 : x.b_pitch, to_next_col = x.b_by_columns ? x.b_pitch : 1;
        for (std::int64_t row = 0; row < x.m; ++row)
            for (std::int64_t col = 0; col < x.k; ++col) {
                SumOf<T> sum{};
                for (std::int64_t i = 0; i < x.n; ++i)
                    sum = multiply_add(widened(x.a[row * x.a_pitch + i]),
                                       widened(x.b[i * to_next_row + col * to_next_col]), sum);
                x.c[row * x.c_pitch + col] = narrowed<T>(sum);
            }
    }
}
}  // namespace

LANEWORK_RUNG(batched_matmul, serial,
              {
                  .lesson = "Product after product, each a row times a column: one core, and a cache line for every "
                            "element of B.",
                  .launch = {launch<float>, launch<float16>, launch<bfloat16>},
              });
