// One row of each product, or a few: attention over what was said before, a word at a time. Each matrix is read once,
// as fast as memory brings it, by the kernels of `matmul/matrix_vector`.
#include "ops/batched_matmul/operation.hpp"
#include "ops/matmul/vector_products.cuh"
#include "src/cuda/check.hpp"

namespace {
template <class T>
Products products_of(const BatchedMatmulArgs<T>& x) {
    return {x.products, x.to_next_a, x.to_next_b, x.to_next_c};
}
template <class T>
void launch(const BatchedMatmulArgs<T>& all, cudaStream_t stream) {
    launch_along_z(all, [stream](const BatchedMatmulArgs<T>& x) {
        launch_products_with_vectors<true>(x.first, products_of(x), stream);
        LANEWORK_CHECK(cudaGetLastError());
    });
}
template <class T>
bool fits(const BatchedMatmulArgs<T>& x) {
    return is_of_vectors(x.first, products_of(x));
}
std::string_view refuses(const Problem& p) { return refuse_vectors_beyond_grid(one_product(p)); }
}  // namespace

LANEWORK_RUNG(batched_matmul, matrix_vector,
              {
                  .climbs_from = "naive",
                  .lesson = "A warp for each row of a matrix and no barrier: memory has as many loads as it can serve.",
                  .launch = {launch<float>, launch<float16>, launch<bfloat16>},
                  .refuses = refuses,
                  .fits = {fits<float>, fits<float16>, fits<bfloat16>},
                  .only = kVectorsAlone,
              });
