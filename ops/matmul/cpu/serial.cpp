// The definition: a row times a column. B is walked down its columns, a new cache line at every step.
#include "ops/matmul/cpu/finish.hpp"

namespace {
template <class T>
void launch(const MatmulArgs<T>& x, Team) {
    const std::int64_t to_next_row = x.b_by_columns ? 1 : x.b_pitch, to_next_col = x.b_by_columns ? x.b_pitch : 1;
    for (std::int64_t row = 0; row < x.m; ++row)
        for (std::int64_t col = 0; col < x.k; ++col) {
            const T* const b = x.b + col * to_next_col;
            SumOf<T> sum{};
            for (std::int64_t i = 0; i < x.n; ++i)
                sum = multiply_add(widened(x.a[row * x.a_pitch + i]), widened(b[i * to_next_row]), sum);
            x.c[row * x.c_pitch + col] = finished_on_host(x.finish, sum, row, col);
        }
}
}  // namespace

LANEWORK_RUNG(matmul, serial,
              {
                  .lesson = "A row times a column: walking down B's columns misses the cache at every step.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<float16>, launch<bfloat16>,
                             launch<std::int8_t>, launch<float8_e4m3>, launch<tfloat32>},
                  .fits = {has_epilogue<std::int32_t>, has_epilogue<std::int8_t>},
                  .only = kGeluOfFloats,
              });
