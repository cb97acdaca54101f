// Tiles arrive in shared memory by themselves, three steps ahead, and pass through no registers: a thread has room for
// twice the elements of C, and loads a third less for each multiplication.
// architectures: 80-virtual 90-real
#include "ops/matmul/copies.cuh"
#include "ops/matmul/quad_tile.hpp"
#include "src/cuda/allow_shared.hpp"

namespace {
/// Elements of C of a thread (rows × cols), warps of a block (down × across), tiles in shared memory.
template <int kRowsEach, int kColsEach, int kWarpsDown, int kWarpsAcross, int kDepthEach, int kStagesEach, int kBlocks>
struct Plan {
    static constexpr int kRows = kRowsEach, kCols = kColsEach, kAcross = kWarpsAcross;
    static constexpr int kDepth = kDepthEach, kStages = kStagesEach;
    static constexpr int kThreads = kWarpsDown * kWarpsAcross * 32, kBlocksPerProcessor = kBlocks;
    static constexpr int kWarpRows = 4 * kRows, kWarpCols = 8 * kCols;  // a warp's lanes stand 4 high and 8 wide
    static constexpr int kTileRows = kWarpsDown * kWarpRows, kTileCols = kWarpsAcross * kWarpCols;
};
using Chosen = Plan<16, 8, 2, 4, 16, 3, 1>;

/// A's tile lies transposed, so that four rows of a column are one quad. Its pitch is a multiple of a quad that is not
/// one of 32 words: the transposed writes of a warp spread over the banks.
template <class P, class T>
struct Stage {
    alignas(16) T a[P::kDepth][P::kTileRows + 4];
    alignas(16) T b[P::kDepth][P::kTileCols];
};

template <class P, bool kQuads, class T>
__global__ void __launch_bounds__(P::kThreads, P::kBlocksPerProcessor) asynchronous_copies(MatmulOperands<T> x) {
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    auto* const stages = reinterpret_cast<Stage<P, T>*>(dynamic_shared);
    const std::int64_t row = std::int64_t{blockIdx.y} * P::kTileRows, col = std::int64_t{blockIdx.x} * P::kTileCols;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int my_row = warp / P::kAcross * P::kWarpRows + lane / 8 * 4;  // quads, every 16
    const int my_col = warp % P::kAcross * P::kWarpCols + lane % 8 * 4;  // quads, every 32
    TileCopier<P::kTileRows, P::kDepth, 1, P::kThreads, T> of_a(x.a, x.m, x.n, x.a_pitch, row, 0);
    TileCopier<P::kDepth, P::kTileCols, kQuads ? 4 : 1, P::kThreads, T> of_b(x.b, x.n, x.k, x.b_pitch, 0, col);
    const int steps = static_cast<int>((x.n + P::kDepth - 1) / P::kDepth);
    int asked = 0, stage_asked = 0;
    const auto load = [&] {
        if (asked++ < steps) {
            Stage<P, T>& to = stages[stage_asked];
            of_a.copy([&](int r, int c) { return &to.a[c][r]; });  // element by element: transposed on the way
            of_b.copy([&](int r, int c) { return &to.b[r][c]; });
            of_a.advance(0, P::kDepth);
            of_b.advance(P::kDepth, 0);
        }
        commit_copies();
        stage_asked = stage_asked + 1 == P::kStages ? 0 : stage_asked + 1;
    };
    for (int step = 0; step < P::kStages - 1; ++step) load();
    T sums[P::kRows][P::kCols] = {};
    int stage = 0;
    for (int step = 0; step < steps; ++step) {
        wait_copies<P::kStages - 2>();
        __syncthreads();  // this step's tiles are there, and those of the step before are read
        load();
        const Stage<P, T>& tiles = stages[stage];
#pragma unroll
        for (int d = 0; d < P::kDepth; ++d) {
            Quad<T> down[P::kRows / 4], across[P::kCols / 4];
#pragma unroll
            for (int r = 0; r < P::kRows / 4; ++r)
                down[r] = *reinterpret_cast<const Quad<T>*>(&tiles.a[d][my_row + r * 16]);
#pragma unroll
            for (int s = 0; s < P::kCols / 4; ++s)
                across[s] = *reinterpret_cast<const Quad<T>*>(&tiles.b[d][my_col + s * 32]);
#pragma unroll
            for (int r = 0; r < P::kRows; ++r)
#pragma unroll
                for (int s = 0; s < P::kCols; ++s)
                    sums[r][s] = multiply_add(down[r / 4].value[r % 4], across[s / 4].value[s % 4], sums[r][s]);
        }
        stage = stage + 1 == P::kStages ? 0 : stage + 1;
    }
#pragma unroll
    for (int r = 0; r < P::kRows; ++r)
#pragma unroll
        for (int s = 0; s < P::kCols; s += 4)
            put_quad<kQuads>(Quad<T>{{sums[r][s], sums[r][s + 1], sums[r][s + 2], sums[r][s + 3]}}, rows_of_c(x),
                             row + my_row + r / 4 * 16 + r % 4, col + my_col + s * 8);
}

template <class P, bool kQuads, class T>
void launch_with(const MatmulArgs<T>& x, cudaStream_t stream) {
    constexpr int kShared = P::kStages * sizeof(Stage<P, T>);
    const auto kernel = asynchronous_copies<P, kQuads, T>;
    allow_shared(kernel, kShared);
    const dim3 grid = grid_of_tiles(x.m, x.k, P::kTileRows, P::kTileCols);
    asynchronous_copies<P, kQuads><<<grid, P::kThreads, kShared, stream>>>(x);
}
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    in_quads(x) ? launch_with<Chosen, true>(x, stream) : launch_with<Chosen, false>(x, stream);
}

std::string_view refuses(const Problem& p) {
    const std::string_view reason = refuse_before_ampere(p);
    return reason.empty() ? refuse_beyond_grid<Chosen::kTileRows, Chosen::kTileCols>(p) : reason;
}
}  // namespace

LANEWORK_RUNG(matmul, asynchronous_copies,
              {
                  .climbs_from = "double_buffered",
                  .lesson = "Copies pass through no registers: a thread has room for 16 × 8 elements of C.",
                  .launch = {launch<float>},
                  .refuses = refuses,
                  .fits = {plain_by_rows<float>},
                  .only = kPlainByRows,
              });
