// Large tiles, of one product after the other, in blocks that stay: while one is written, by TMA, the next is fetched
// and multiplied. The kernel is `matmul/persistent`'s.
// architectures: 90a-real
#include "ops/batched_matmul/tiles.hpp"
#include "ops/matmul/persistent.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
template <bool kByColumns, class T>
void launch_form(const BatchedMatmulArgs<T>& all, cudaStream_t stream) {
    const MatmulArgs<T>& x = all.first;
    const Products products{all.products, all.to_next_a, all.to_next_b, all.to_next_c};
    constexpr int kColsOfBlock = kBlockCols / PersistentTiles<T, T, kByColumns, true>::kCluster;
    launch_persistent<T, kByColumns, true>(
        ProductInto<T>(x), products, PieceProducts{}, true,
        map_of(x.a, all.products, all.to_next_a, x.m, x.n, x.a_pitch, kBlockRows),
        map_of(x.b, all.products, all.to_next_b, kByColumns ? x.k : x.n, kByColumns ? x.n : x.k, x.b_pitch,
               kByColumns ? kColsOfBlock : kStepDepth),
        nullptr, stream);
}
template <class T>
void launch(const BatchedMatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    x.first.b_by_columns ? launch_form<true>(x, stream) : launch_form<false>(x, stream);
}
#else
template <class T>
void launch(const BatchedMatmulArgs<T>&, cudaStream_t) {}  // refused
#endif

/// TMA writes C, too, whose matrices are apart.
template <class T>
bool fits(const BatchedMatmulArgs<T>& x) {
    const MatmulArgs<T>& first = x.first;
    return operands_on_16_bytes(x) && on_16_bytes(first.c, first.c_pitch, x.to_next_c) &&
           (x.to_next_c > 0 || x.products == 1);
}
std::string_view refuses(const Problem& p) {
    const auto [products, m, n, k] = p.lengths<BatchedMatmulAxes>();
    constexpr std::int64_t kMost = 2147483647;
    if (products > kMost / (ceil_div(m, kBlockRows) * ceil_div(k, kBlockCols) + 1))
        return "it counts the tiles of all products in 31 bits";
    return refuse_products_without_hopper(p);
}
}  // namespace

LANEWORK_RUNG(batched_matmul, persistent,
              {
                  .climbs_from = "warp_groups",
                  .lesson = "Large tiles, and blocks that stay: one product is written while the next is multiplied.",
                  .launch = {launch<float16>, launch<bfloat16>},
                  .refuses = refuses,
                  .fits = {fits<float16>, fits<bfloat16>},
                  .only = kOn16Bytes,
              });
