// The definition, one product after another; tiles are alike, and each is computed.
#include "ops/mma/operation.hpp"

namespace {
template <class T>
void launch(const MmaArgs<T>& x, Team) {
    for (std::int64_t t = 0; t < x.tiles; ++t)
        for (int row = 0; row < kMmaRows; ++row)
            for (int col = 0; col < kMmaCols; ++col) {
                float sum = 0;
                for (std::int64_t step = 0; step < x.steps; ++step)
                    for (int i = 0; i < kMmaDepth; ++i)
                        sum += to_float(x.a[row * kMmaDepth + i]) * to_float(x.b[i * kMmaCols + col]);
                x.c[(t * kMmaRows + row) * kMmaCols + col] = sum;
            }
}
}  // namespace

LANEWORK_RUNG(mma, serial,
              {
                  .lesson = "One product after another: processors here have no units for 16-bit floats.",
                  .launch = {launch<float16>, launch<bfloat16>},
              });
