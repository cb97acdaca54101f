// One warpgroup only fetches and gives its registers away; two only multiply. Between them stand barriers, and nobody
// waits for the whole block.
// architectures: 90a-real
#include "ops/matmul/hopper.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
constexpr int kConsumers = kBlockRows / kGroupRows;
constexpr int kThreads = (1 + kConsumers) * kWarpgroup;
constexpr int kStages = 4;

template <class T>
struct Shared {
    StepTiles<T> tiles[kStages];
    Mbarrier full[kStages];   // the bytes are there
    Mbarrier empty[kStages];  // both consumers have read them
};

template <class T>
__global__ void __launch_bounds__(kThreads, 1)
    warp_specialized(MatmulOperands<T> x, const __grid_constant__ CUtensorMap map_a,
                     const __grid_constant__ CUtensorMap map_b) {
    auto& shared = *reinterpret_cast<Shared<T>*>(aligned_shared());
    const int row = static_cast<int>(blockIdx.y) * kBlockRows, col = static_cast<int>(blockIdx.x) * kBlockCols;
    const int steps = static_cast<int>((x.n + kStepDepth - 1) / kStepDepth);
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < kStages; ++stage) {
            shared.full[stage].init(1);
            shared.empty[stage].init(kConsumers);
        }
        fence_barriers();
    }
    __syncthreads();
    if (threadIdx.x < kWarpgroup) {
        shrink_registers<kProducerRegisters>();
        if (threadIdx.x != 0) return;
        for (int step = 0; step < steps; ++step) {
            const int stage = step % kStages;
            StepTiles<T>& to = shared.tiles[stage];
            Mbarrier& full = shared.full[stage];
            shared.empty[stage].wait(step / kStages % 2 ^ 1);  // the first time round it is
            full.arrive_expecting(sizeof to);
            load_box(to.a, map_a, row, step * kStepDepth, full);
            for (int strip = 0; strip < kBlockCols / kStripCols; ++strip)
                load_box(to.b[strip], map_b, step * kStepDepth, col + strip * kStripCols, full);
        }
    } else {
        grow_registers<kConsumerRegisters>();
        const int group = static_cast<int>(threadIdx.x) / kWarpgroup - 1;
        const bool speaker = threadIdx.x % kWarpgroup == 0;
        GroupSums<T> sums;
        for (int step = 0; step < steps; ++step) {
            shared.full[step % kStages].wait(step / kStages % 2);
            begin_products();
            sums.multiply(shared.tiles[step % kStages], group, step == 0);
            commit_products();
            wait_products<1>();
            if (speaker && step > 0) shared.empty[(step - 1) % kStages].arrive();
        }
        wait_products<0>();
        sums.write(x.c, x.c_pitch, x.m, x.k, row + group * kGroupRows, col);
    }
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.n == 0) return write_zeros(x, stream);
    const int shared = allow_tiles(warp_specialized<T>, sizeof(Shared<T>));
    warp_specialized<<<grid_of_tiles(x.m, x.k, kBlockRows, kBlockCols), kThreads, shared, stream>>>(
        x, map_of(x.a, x.m, x.n, x.a_pitch, kBlockRows), map_of(x.b, x.n, x.k, x.b_pitch, kStepDepth));
}
#else
template <class T>
void launch(const MatmulArgs<T>&, cudaStream_t) {}  // refused
#endif
}  // namespace

LANEWORK_RUNG(
    matmul, warp_specialized,
    {
        .climbs_from = "wgmma_tma",
        .lesson = "One warpgroup fetches, two multiply: no barrier of the whole block, registers where they count.",
        .launch = {launch<float16>, launch<bfloat16>},
        .refuses = refuse_without_hopper_grid,
        .fits = {plain_rows_on_16_bytes<float16>, plain_rows_on_16_bytes<bfloat16>},
        .only = kRowsOn16Bytes,
    });
