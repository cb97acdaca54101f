// Tensor cores: the tiles and the pipeline of `matmul/split_sums` for every product of a launch. TMA knows the matrices
// as one array of three axes, so that what lies outside of a matrix is zero, and not its neighbour.
// architectures: 90a-real
#include "ops/batched_matmul/tiles.hpp"
#include "ops/matmul/cluster_layouts.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
template <class T>
void launch(const BatchedMatmulArgs<T>& all, cudaStream_t stream) {
    launch_along_z(all, [stream](const BatchedMatmulArgs<T>& x) {
        const MatmulArgs<T>& first = x.first;
        const Products products{x.products, x.to_next_a, x.to_next_b, x.to_next_c};
        const ClusterLayouts layouts(first.m, first.n, first.k, first.b_by_columns, x.products);
        launch_layout<true>(first, first, products, layouts.fastest(false), 0, false, stream);
    });
}
#else
template <class T>
void launch(const BatchedMatmulArgs<T>&, cudaStream_t) {}  // refused
#endif
}  // namespace

LANEWORK_RUNG(batched_matmul, warp_groups,
              {
                  .climbs_from = "register_tile",
                  .lesson = "Tensor cores multiply what TMA fetches, out of one array of all products' matrices.",
                  .launch = {launch<float16>, launch<bfloat16>},
                  .refuses = refuse_products_without_hopper,
                  .fits = {operands_on_16_bytes<float16>, operands_on_16_bytes<bfloat16>},
                  .only = kOn16Bytes,
              });
// mends: instruction_bound
