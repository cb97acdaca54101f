// Two warpgroups multiply what lies in shared memory, and load nothing: the rate of Hopper's tensor cores.
// architectures: 90a-real
#include "ops/matmul/hopper.cuh"
#include "ops/mma/operation.hpp"

namespace {
#if LANEWORK_HAS_WARPGROUPS
constexpr int kGroups = 2, kThreads = kGroups * kWarpgroup;  // while one waits for its sums, the other multiplies
static_assert(kMmaRows == kGroupRows && kMmaCols == kBlockCols);

/// Where the swizzle has column c of row r.
template <class T>
__device__ int swizzled(int r, int c) {
    constexpr int kPart = 16 / static_cast<int>(sizeof(T));
    return (c / kPart ^ r % kSwizzleRows) * kPart + c % kPart;
}
/// How B lies in shared memory: by columns where wgmma reads nothing else.
template <class T>
inline constexpr bool kByColumns = sizeof(T) != 2;
template <class T>
using Tiles = StepTiles<T, kMmaRows, kMmaCols, kByColumns<T>>;

template <class T>
__global__ void __launch_bounds__(kThreads, 1) wgmma(MmaArgs<T> x) {
    auto& tiles = *reinterpret_cast<Tiles<T>*>(aligned_shared());
    constexpr int kDepth = MmaArgs<T>::kDepth;
    for (int i = static_cast<int>(threadIdx.x); i < kMmaRows * kDepth; i += kThreads)
        tiles.a[i / kDepth][swizzled<T>(i / kDepth, i % kDepth)] = x.a[i];
    for (int i = static_cast<int>(threadIdx.x); i < kDepth * kMmaCols; i += kThreads) {
        const int r = i / kMmaCols, c = i % kMmaCols;
        if constexpr (kByColumns<T>)
            tiles.b[c][swizzled<T>(c, r)] = x.b[i];
        else
            tiles.b[c / kStripCols][r][swizzled<T>(r, c % kStripCols)] = x.b[i];
    }
    fence_for_async();
    __syncthreads();
    const std::int64_t tile = std::int64_t{blockIdx.x} * kGroups + static_cast<int>(threadIdx.x) / kWarpgroup;
    GroupSums<T, kMmaCols, kByColumns<T>> sums;
    sums.clear();
    for (std::int64_t step = 0; step < x.steps; ++step) {
        begin_products();
        sums.multiply(tiles, 0, false);
        commit_products();
        wait_products<1>();
    }
    wait_products<0>();
    if (tile < x.tiles) sums.write(x.c, kMmaCols, x.tiles * kMmaRows, kMmaCols, tile * kMmaRows, 0);
}

template <class T>
void launch(const MmaArgs<T>& x, cudaStream_t stream) {
    if (x.tiles == 0) return;
    const int shared = allow_tiles(wgmma<T>, sizeof(Tiles<T>));
    wgmma<<<static_cast<unsigned>(ceil_div(x.tiles, kGroups)), kThreads, shared, stream>>>(x);
}
#else
template <class T>
void launch(const MmaArgs<T>&, cudaStream_t) {}  // refused
#endif
}  // namespace

LANEWORK_RUNG(mma, wgmma,
              {
                  .climbs_from = "fragments",
                  .lesson = "Warpgroups multiply tiles where they lie in shared memory: no lane loads a fragment.",
                  .launch = {launch<float16>, launch<bfloat16>, launch<std::int8_t>, launch<float8_e4m3>,
                             launch<tfloat32>},
                  .refuses = refuse_without_hopper,
              });
// mends: shared_memory_bound
