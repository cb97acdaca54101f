// The definition, one product after another; tiles are alike, and each is computed.
#include "ops/mma/operation.hpp"

namespace {
template <class T>
float multiply_add(T a, T b, float sum) {
    return sum + to_float(a) * to_float(b);
}
/// Wraps around at 2^32.
std::int32_t multiply_add(std::int8_t a, std::int8_t b, std::int32_t sum) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(a * b));
}

template <class T>
void launch(const MmaArgs<T>& x, Team) {
    for (std::int64_t t = 0; t < x.tiles; ++t)
        for (int row = 0; row < kMmaRows; ++row)
            for (int col = 0; col < kMmaCols; ++col) {
                typename MmaArgs<T>::Sum sum = 0;
                for (std::int64_t step = 0; step < x.steps; ++step)
                    for (int i = 0; i < x.kDepth; ++i)
                        sum = multiply_add(x.a[row * x.kDepth + i], x.b[i * kMmaCols + col], sum);
                x.c[(t * kMmaRows + row) * kMmaCols + col] = sum;
            }
}
}  // namespace

LANEWORK_RUNG(mma, serial,
              {
                  .lesson = "One product after another: processors here have no units for matrices that are used here.",
                  .launch = {launch<float16>, launch<bfloat16>, launch<std::int8_t>, launch<float8_e4m3>,
                             launch<tfloat32>},
              });
