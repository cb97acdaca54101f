// A launch for every product, one thread for each element: what a program does that has a kernel for one product.
#include "ops/batched_matmul/tiles.hpp"
#include "ops/matmul/one_element.hpp"

namespace {
constexpr int kBlock = 16;

template <class T>
void launch(const BatchedMatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.first.m, x.first.k, kBlock, kBlock), block(kBlock, kBlock);
    for (std::int64_t p = 0; p < x.products; ++p)
        one_element_each_of_views<kBlock, true, T><<<grid, block, 0, stream>>>(x.product(p));
}
}  // namespace

LANEWORK_RUNG(
    batched_matmul, one_launch_each,
    {
        .lesson = "A launch for every product: small ones leave most multiprocessors idle, and each waits for "
                  "the one before.",
        .launch = {launch<float>, launch<float16>, launch<bfloat16>},
        .refuses = refuse_products_beyond_grid<kBlock, kBlock>,
    });
