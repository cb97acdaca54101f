// Four tiles in turn: asynchronous copies fetch three steps ahead, straight into shared memory, and ldmatrix loads a
// warp's fragments for mma.sync, four 8 × 8 matrices at once.
// architectures: 80-virtual 90-real
#include "ops/matmul/warp_products.cuh"
#include "src/cuda/allow_shared.hpp"

namespace {
#ifdef __NVCC__
constexpr int kRows = 128, kCols = 128, kDepth = 32;  // of a block's tiles
constexpr int kWarpRows = 64, kWarpCols = 32;         // of a warp's part of C: 4 × 4 products of 16 × 8
constexpr int kThreads = 256;
constexpr int kBlocksPerProcessor = 2;
constexpr int kStages = 4;
constexpr int kPad = 8;  // elements: the eight rows that ldmatrix reads together start in different banks

template <class T>
struct Stage {
    alignas(16) T a[kRows][kDepth + kPad];
    alignas(16) T b[kDepth][kCols + kPad];
};

template <bool kBy16Bytes, class T>
__global__ void __launch_bounds__(kThreads, kBlocksPerProcessor) mma_pipelined(MatmulOperands<T> x) {
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    auto* const stages = reinterpret_cast<Stage<T>*>(dynamic_shared);
    const std::int64_t row = std::int64_t{blockIdx.y} * kRows, col = std::int64_t{blockIdx.x} * kCols;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int warp_row = warp / 4 * kWarpRows, warp_col = warp % 4 * kWarpCols;
    constexpr int kVector = kBy16Bytes ? 8 : 1;
    TileCopier<kRows, kDepth, kVector, kThreads, T> of_a(x.a, x.m, x.n, x.a_pitch, row, 0);
    TileCopier<kDepth, kCols, kVector, kThreads, T> of_b(x.b, x.n, x.k, x.b_pitch, 0, col);
    const int steps = static_cast<int>((x.n + kDepth - 1) / kDepth);
    const auto load = [&](int step) {
        if (step < steps) {
            Stage<T>& to = stages[step % kStages];
            of_a.copy([&](int r, int c) { return &to.a[r][c]; });
            of_b.copy([&](int r, int c) { return &to.b[r][c]; });
            of_a.advance(0, kDepth);
            of_b.advance(kDepth, 0);
        }
        commit_copies();  // an empty batch where nothing is left: the count goes on
    };
    for (int step = 0; step < kStages - 1; ++step) load(step);
    float sums[4][4][4] = {};
    for (int step = 0; step < steps; ++step) {
        wait_copies<kStages - 2>();
        __syncthreads();  // this step's tiles are there, and those of the step before are read
        load(step + kStages - 1);
        const Stage<T>& tiles = stages[step % kStages];
#pragma unroll
        for (int depth = 0; depth < kDepth; depth += 16) {
            std::uint32_t a[4][4], b[2][4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
                load_fragments(a[i], &tiles.a[warp_row + i * 16 + lane % 16][depth + lane / 16 * 8]);
#pragma unroll
            for (int j = 0; j < 2; ++j)
                load_fragments_transposed(b[j], &tiles.b[depth + lane % 16][warp_col + j * 16 + lane / 16 * 8]);
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    multiply_add<T>(sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const std::int64_t r = row + warp_row + i * 16 + half * 8 + lane / 4;
            if (r >= x.m) continue;
            T* const to = x.c + r * x.c_pitch;
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const std::int64_t s = col + warp_col + j * 8 + lane % 4 * 2;
                const float left = sums[i][j][half * 2], right = sums[i][j][half * 2 + 1];
                if (kBy16Bytes && s + 1 < x.k) {
                    alignas(4) T pair[2];
                    put(&pair[0], left);
                    put(&pair[1], right);
                    *reinterpret_cast<std::uint32_t*>(to + s) = *reinterpret_cast<const std::uint32_t*>(pair);
                } else {
                    if (s < x.k) put(to + s, left);
                    if (s + 1 < x.k) put(to + s + 1, right);
                }
            }
        }
}

template <bool kBy16Bytes, class T>
void launch_with(const MatmulArgs<T>& x, cudaStream_t stream) {
    constexpr int kShared = kStages * sizeof(Stage<T>);
    allow_shared(mma_pipelined<kBy16Bytes, T>, kShared);
    mma_pipelined<kBy16Bytes><<<grid_of_tiles(x.m, x.k, kRows, kCols), kThreads, kShared, stream>>>(x);
}
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    rows_on_16_bytes(x) ? launch_with<true>(x, stream) : launch_with<false>(x, stream);
}
std::string_view refuses(const Problem& p) {
    const std::string_view reason = refuse_before_ampere(p);
    return reason.empty() ? refuse_beyond_grid<kRows, kCols>(p) : reason;
}
#else
template <class T>
void launch(const MatmulArgs<T>&, cudaStream_t) {}  // refused
std::string_view refuses(const Problem&) { return kOnGpusAlone; }
#endif
}  // namespace

LANEWORK_RUNG(matmul, mma_pipelined,
              {
                  .climbs_from = "tensor_core",
                  .lesson = "Copies run three steps ahead of the tensor cores, and ldmatrix loads whole fragments.",
                  .launch = {launch<float16>, launch<bfloat16>},
                  .refuses = refuses,
                  .fits = {plain_by_rows<float16>, plain_by_rows<bfloat16>},
                  .only = kPlainByRows,
              });
// mends: few_loads_in_flight, shared_memory_bound
