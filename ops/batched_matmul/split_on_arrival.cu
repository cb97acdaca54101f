// Floats by tensor cores: each is split into three pieces of bfloat16 on its way into shared memory, as in
// `matmul/split_on_arrival`, for every product of a launch.
// architectures: 90a-real
#include "ops/batched_matmul/tiles.hpp"
#include "ops/matmul/split_tiles.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
void launch(const BatchedMatmulArgs<float>& all, cudaStream_t stream) {
    launch_along_z(all, [stream](const BatchedMatmulArgs<float>& x) {
        const MatmulArgs<float>& first = x.first;
        const Products products{x.products, x.to_next_a, x.to_next_b, x.to_next_c};
        const SplitLayout layout = SplitLayouts(first.m, first.n, first.k, x.products).fastest(false);
        first.b_by_columns ? launch_layout<true>(first, products, layout, 0, stream)
                           : launch_layout<false>(first, products, layout, 0, stream);
    });
}
#else
void launch(const BatchedMatmulArgs<float>&, cudaStream_t) {}  // refused
#endif
}  // namespace

LANEWORK_RUNG(batched_matmul, split_on_arrival,
              {
                  .climbs_from = "double_buffered",
                  .lesson = "Floats become three pieces of bfloat16 on their way, which tensor cores multiply.",
                  .launch = {launch},
                  .refuses = refuse_products_without_hopper,
                  .deviation = kPiecesDeviation,
              });
// mends: instruction_bound
