// A warpgroup multiplies tiles that lie in shared memory: wgmma reads both operands there by itself, four warps at
// once, and no lane loads a fragment.
// architectures: 90a-real
#include "ops/matmul/hopper.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
constexpr int kGroups = kBlockRows / kGroupRows;
constexpr int kThreads = kGroups * kWarpgroup;
constexpr int kStages = 4;
template <class T>
constexpr int kVector = 16 / sizeof(T);

/// Where the swizzle has column c of row r, the first of 16 bytes.
__device__ int swizzled(int r, int c) { return (c / 8 ^ r % kSwizzleRows) * 8; }

template <class T>
__global__ void __launch_bounds__(kThreads, 1) wgmma(MatmulOperands<T> x) {
    auto* const stages = reinterpret_cast<StepTiles<T>*>(aligned_shared());
    const std::int64_t row = std::int64_t{blockIdx.y} * kBlockRows, col = std::int64_t{blockIdx.x} * kBlockCols;
    const int group = static_cast<int>(threadIdx.x) / kWarpgroup;
    const int steps = static_cast<int>((x.n + kStepDepth - 1) / kStepDepth);
    TileCopier<kBlockRows, kStepDepth, kVector<T>, kThreads, T> of_a(x.a, x.m, x.n, x.a_pitch, row, 0);
    TileCopier<kStepDepth, kBlockCols, kVector<T>, kThreads, T> of_b(x.b, x.n, x.k, x.b_pitch, 0, col);
    const auto load = [&](int step) {
        if (step < steps) {
            StepTiles<T>& to = stages[step % kStages];
            of_a.copy([&](int r, int c) { return &to.a[r][swizzled(r, c)]; });
            of_b.copy([&](int r, int c) { return &to.b[c / kStripCols][r][swizzled(r, c % kStripCols)]; });
            of_a.advance(0, kStepDepth);
            of_b.advance(kStepDepth, 0);
        }
        commit_copies();
    };
    for (int step = 0; step < kStages - 1; ++step) load(step);
    GroupSums<T> sums;
    for (int step = 0; step < steps; ++step) {
        wait_copies<kStages - 2>();
        fence_for_async();
        __syncthreads();
        begin_products();
        sums.multiply(stages[step % kStages], group, step == 0);
        commit_products();
        load(step + kStages - 1);  // into the tiles of the step before, which every group has finished
        wait_products<0>();
    }
    sums.write(x.c, x.c_pitch, x.m, x.k, row + group * kGroupRows, col);
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.n == 0) return write_zeros(x, stream);
    const int shared = allow_tiles(wgmma<T>, kStages * sizeof(StepTiles<T>));
    wgmma<<<grid_of_tiles(x.m, x.k, kBlockRows, kBlockCols), kThreads, shared, stream>>>(x);
}
#else
template <class T>
void launch(const MatmulArgs<T>&, cudaStream_t) {}  // refused
#endif
}  // namespace

LANEWORK_RUNG(matmul, wgmma,
              {
                  .climbs_from = "mma_pipelined",
                  .lesson = "A warpgroup's wgmma reads both operands from shared memory: no lane loads fragments.",
                  .launch = {launch<float16>, launch<bfloat16>},
                  .refuses = refuse_without_hopper_grid,
                  .fits = {plain_rows_on_16_bytes<float16>, plain_rows_on_16_bytes<bfloat16>},
                  .only = kRowsOn16Bytes,
              });
// mends: shared_memory_bound
