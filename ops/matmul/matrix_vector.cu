// One row, or up to four: a decoder that makes one word after the other is nothing but such products. Memory's time is
// all that they take, if as many loads are on their way as it can serve: a warp for each row, and no barrier.
#include "ops/matmul/vector_products.cuh"
#include "src/cuda/check.hpp"

namespace {
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    x.finish.plain() ? launch_products_with_vectors<true>(x, {}, stream)
                     : launch_products_with_vectors<false>(x, {}, stream);
    LANEWORK_CHECK(cudaGetLastError());
}
template <class T>
bool fits(const MatmulArgs<T>& x) {
    return is_of_vectors(x, {});
}
}  // namespace

LANEWORK_RUNG(matmul, matrix_vector,
              {
                  .climbs_from = "skinny",
                  .lesson = "A warp for each row and no barrier: memory has as many loads to serve as it can.",
                  .launch = {launch<float>, launch<float16>, launch<bfloat16>},
                  .refuses = refuse_vectors_beyond_grid,
                  .fits = {fits<float>, fits<float16>, fits<bfloat16>},
                  .only = kVectorsAlone,
              });
// mends: few_loads_in_flight
