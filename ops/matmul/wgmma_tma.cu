// One thread asks the tensor memory accelerator for whole tiles, which it fetches, swizzles and pads with zeros; a
// barrier that counts bytes says when they are there. The other 255 threads issue no copies and compute no addresses.
// architectures: 90a-real
#include "ops/matmul/hopper.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
constexpr int kGroups = kBlockRows / kGroupRows;
constexpr int kThreads = kGroups * kWarpgroup;
constexpr int kStages = 4;

template <class T>
struct Shared {
    StepTiles<T> tiles[kStages];
    Mbarrier full[kStages];
};

template <class T>
__global__ void __launch_bounds__(kThreads, 1) wgmma_tma(MatmulOperands<T> x, const __grid_constant__ CUtensorMap map_a,
                                                         const __grid_constant__ CUtensorMap map_b) {
    auto& shared = *reinterpret_cast<Shared<T>*>(aligned_shared());
    const int row = static_cast<int>(blockIdx.y) * kBlockRows, col = static_cast<int>(blockIdx.x) * kBlockCols;
    const int group = static_cast<int>(threadIdx.x) / kWarpgroup;
    const int steps = static_cast<int>((x.n + kStepDepth - 1) / kStepDepth);
    if (threadIdx.x == 0) {
        for (Mbarrier& barrier : shared.full) barrier.init(1);
        fence_barriers();
    }
    __syncthreads();
    const auto load = [&](int step) {
        if (threadIdx.x != 0 || step >= steps) return;
        StepTiles<T>& to = shared.tiles[step % kStages];
        Mbarrier& full = shared.full[step % kStages];
        full.arrive_expecting(sizeof to);
        load_box(to.a, map_a, row, step * kStepDepth, full);
        for (int strip = 0; strip < kBlockCols / kStripCols; ++strip)
            load_box(to.b[strip], map_b, step * kStepDepth, col + strip * kStripCols, full);
    };
    for (int step = 0; step < kStages - 1; ++step) load(step);
    GroupSums<T> sums;
    for (int step = 0; step < steps; ++step) {
        shared.full[step % kStages].wait(step / kStages % 2);
        begin_products();
        sums.multiply(shared.tiles[step % kStages], group, step == 0);
        commit_products();
        wait_products<1>();
        __syncthreads();           // every group has finished the step before,
        load(step + kStages - 1);  // whose tiles take the next
        __syncwarp();
    }
    wait_products<0>();
    sums.write(x.c, x.c_pitch, x.m, x.k, row + group * kGroupRows, col);
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.n == 0) return write_zeros(x, stream);
    const int shared = allow_tiles(wgmma_tma<T>, sizeof(Shared<T>));
    wgmma_tma<<<grid_of_tiles(x.m, x.k, kBlockRows, kBlockCols), kThreads, shared, stream>>>(
        x, map_of(x.a, x.m, x.n, x.a_pitch, kBlockRows), map_of(x.b, x.n, x.k, x.b_pitch, kStepDepth));
}
#else
template <class T>
void launch(const MatmulArgs<T>&, cudaStream_t) {}  // refused
#endif
}  // namespace

LANEWORK_RUNG(
    matmul, wgmma_tma,
    {
        .climbs_from = "wgmma",
        .lesson = "One thread asks TMA for whole tiles; a barrier that counts bytes says when they are there.",
        .launch = {launch<float16>, launch<bfloat16>},
        .refuses = refuse_without_hopper_grid,
        .fits = {plain_rows_on_16_bytes<float16>, plain_rows_on_16_bytes<bfloat16>},
        .only = kRowsOn16Bytes,
    });
// mends: instruction_bound
