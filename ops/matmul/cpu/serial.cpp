// The definition: a row times a column. B is walked down its columns, a new cache line at every step.
#include "ops/matmul/operation.hpp"

namespace {
template <class T>
void launch(const MatmulArgs<T>& x, Team) {
    for (std::int64_t row = 0; row < x.m; ++row)
        for (std::int64_t col = 0; col < x.k; ++col) {
            decltype(widened(T{})) sum{};
            for (std::int64_t i = 0; i < x.n; ++i)
                sum = multiply_add(widened(x.a[row * x.a_pitch + i]), widened(x.b[i * x.b_pitch + col]), sum);
            x.c[row * x.c_pitch + col] = narrowed<T>(sum);
        }
}
}  // namespace

LANEWORK_RUNG(matmul, serial,
              {
                  .lesson = "A row times a column: walking down B's columns misses the cache at every step.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<float16>, launch<bfloat16>},
              });
