// C with few columns is bound by reading A, once: its 16 bytes go from memory straight into the fragments of mma.sync.
// Which terms of a sum a lane has is free, as long as A and B agree.
// architectures: 80-virtual 90-real
#include "ops/matmul/warp_products.cuh"
#include "src/cuda/allow_shared.hpp"

namespace {
constexpr int kTileCols = 8;  // of one mma.sync
constexpr std::int64_t kMostCols = 2 * kTileCols;
#ifdef __NVCC__
constexpr int kWarps = 16, kThreads = kWarps * 32;
constexpr int kVector = 8;  // elements that a lane reads at once
constexpr int kTerms = 64;  // of a chunk, a warp's step: two vectors for each of the four lanes of a row
constexpr int kAhead = 2;   // chunks that a warp has asked for

/// B's part of a chunk in a warp's shared memory, where a lane finds the terms that it has of A. By rows of eight
/// columns: the eight rows that ldmatrix reads together start in different banks, since eight rows lie side by side and
/// the next eight 32 bytes behind them.
struct ChunkByRows {
    alignas(16) unsigned char bytes[kTerms * 16 + kTerms / 8 * 32];

    __device__ unsigned char* row(int term) { return &bytes[term * 16 + term / 8 * 32]; }
    template <class T>
    __device__ void ask(const MatmulOperands<T>& x, int first, int lane) {
        const T* from = x.b + (std::int64_t{first} + lane) * x.b_pitch;
        const int left = static_cast<int>(x.n) - first;
#pragma unroll
        for (int term = lane; term < kTerms; term += 32, from += 32 * x.b_pitch)
            copy_async<16>(row(term), term < left ? from : x.b, term < left ? 16 : 0);
    }
    /// For the two products of a lane's first or second vector of A.
    __device__ void load(std::uint32_t (&to)[4], int, int vector, int lane) {
        load_fragments_transposed(to, row(vector * 32 + lane % 8 / 2 * 8 + lane / 8 * 2 + lane % 2));
    }
};
/// By columns, of which two neighbours fill the banks.
template <int kTiles>
struct ChunkByColumns {
    static constexpr int kLanes = kTerms / kVector;  // for a column
    alignas(16) unsigned char bytes[kTiles * kTileCols][kTerms * 2 + 64];

    template <class T>
    __device__ void ask(const MatmulOperands<T>& x, int first, int lane) {
        constexpr int kAtOnce = 32 / kLanes;
        const int term = lane % kLanes * kVector, own = lane / kLanes;
        const T* from = x.b + own * x.b_pitch + first + term;
        const int left = first + term < x.n ? static_cast<int>(x.k) : 0;
#pragma unroll
        for (int col = own; col < kTiles * kTileCols; col += kAtOnce, from += kAtOnce * x.b_pitch)
            copy_async<16>(&bytes[col][term * 2], col < left ? from : x.b, col < left ? 16 : 0);
    }
    __device__ void load(std::uint32_t (&to)[4], int tile, int vector, int lane) {
        const uint4 terms =
            *reinterpret_cast<const uint4*>(&bytes[tile * kTileCols + lane / 4][vector * 64 + lane % 4 * 16]);
        to[0] = terms.x, to[1] = terms.y, to[2] = terms.z, to[3] = terms.w;
    }
};

/// A block's part of C: 16·kTiles rows of 8·kTiles columns. Its warps take the chunks of the sums in turn.
template <int kTiles, bool kByColumns>
struct Narrow {
    static constexpr int kDown = kTiles, kRows = 16 * kDown, kCols = kTileCols * kTiles, kBlocks = 2 / kTiles;
    static_assert(kByColumns || kTiles == 1);
    using Chunk = std::conditional_t<kByColumns, ChunkByColumns<kTiles>, ChunkByRows>;
    using Sums = float[kWarps][kRows][kCols];
    static constexpr int kChunkBytes = kWarps * kAhead * static_cast<int>(sizeof(Chunk));
    static constexpr int kShared = kChunkBytes > static_cast<int>(sizeof(Sums)) ? kChunkBytes
                                                                                : static_cast<int>(sizeof(Sums));
};

template <class T, int kTiles, bool kByColumns, bool kPlain>
__global__ void __launch_bounds__(kThreads, Narrow<kTiles, kByColumns>::kBlocks) narrow(KernelArgs<kPlain, T> x) {
    using Tile = Narrow<kTiles, kByColumns>;
    constexpr int kDown = Tile::kDown;
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    auto* const chunks = reinterpret_cast<typename Tile::Chunk*>(dynamic_shared) + warp * kAhead;
    const std::int64_t row = std::int64_t{blockIdx.x} * Tile::kRows;
    const int n = static_cast<int>(x.n), own_row = lane / 4, own_term = lane % 4 * kVector;
    const int rows_left = static_cast<int>(x.m - row < Tile::kRows ? x.m - row : Tile::kRows) - own_row;
    const T* const own_a = x.a + (row + own_row) * x.a_pitch + own_term;
    uint4 a[kAhead][kDown][2][2];  // of rows 8 apart, and of terms 32 apart
    const auto ask = [&](int slot, int first) {
        if (first < n) {
            const T* from = own_a + first;
#pragma unroll
            for (int r = 0; r < 2 * kDown; ++r, from += 8 * x.a_pitch)
#pragma unroll
                for (int v = 0; v < 2; ++v) {
                    uint4& to = a[slot][r / 2][r % 2][v];
                    to = make_uint4(0, 0, 0, 0);
                    if (r * 8 < rows_left && first + v * 32 + own_term < n)
                        to = __ldcs(reinterpret_cast<const uint4*>(from + v * 32));
                }
            chunks[slot].ask(x, first, lane);
        }
        commit_copies();  // an empty batch where nothing is left: the count goes on
    };
    float sums[kDown][kTiles][4] = {};
    const int begin = warp * kTerms;
    constexpr int kNext = kWarps * kTerms;
#pragma unroll
    for (int slot = 0; slot < kAhead; ++slot) ask(slot, begin + slot * kNext);
    for (int first = begin; first < n; first += kAhead * kNext)
#pragma unroll
        for (int slot = 0; slot < kAhead; ++slot) {
            if (first + slot * kNext >= n) break;
            wait_copies<kAhead - 1>();
            __syncwarp();
#pragma unroll
            for (int v = 0; v < 2; ++v)
#pragma unroll
                for (int tile = 0; tile < kTiles; ++tile) {
                    std::uint32_t b[4];
                    chunks[slot].load(b, tile, v, lane);
#pragma unroll
                    for (int down = 0; down < kDown; ++down) {
                        const uint4 &upper = a[slot][down][0][v], &lower = a[slot][down][1][v];
                        multiply_add<T>(sums[down][tile], {upper.x, lower.x, upper.y, lower.y}, b[0], b[1]);
                        multiply_add<T>(sums[down][tile], {upper.z, lower.z, upper.w, lower.w}, b[2], b[3]);
                    }
                }
            __syncwarp();
            ask(slot, first + (slot + kAhead) * kNext);
        }
    wait_copies<0>();
    __syncthreads();  // the chunks are read: the warps' sums take their place
    auto& parts = *reinterpret_cast<typename Tile::Sums*>(dynamic_shared);
#pragma unroll
    for (int down = 0; down < kDown; ++down)
#pragma unroll
        for (int tile = 0; tile < kTiles; ++tile)
#pragma unroll
            for (int half = 0; half < 2; ++half)
                *reinterpret_cast<float2*>(
                    &parts[warp][down * 16 + half * 8 + lane / 4][tile * kTileCols + lane % 4 * 2]) =
                    make_float2(sums[down][tile][half * 2], sums[down][tile][half * 2 + 1]);
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < Tile::kRows * Tile::kCols; i += kThreads) {
        const int r = i / Tile::kCols, c = i % Tile::kCols;
        if (row + r >= x.m || c >= x.k) continue;
        float sum = 0;
#pragma unroll
        for (int w = 0; w < kWarps; ++w) sum += parts[w][r][c];
        if constexpr (kPlain)
            put(x.c + (row + r) * x.c_pitch + c, sum);
        else
            x.c[(row + r) * x.c_pitch + c] = finished(x.finish, sum, row + r, c);
    }
}

template <int kTiles, bool kByColumns, bool kPlain, class T>
void launch_tiles(const MatmulArgs<T>& x, cudaStream_t stream) {
    using Tile = Narrow<kTiles, kByColumns>;
    const auto kernel = narrow<T, kTiles, kByColumns, kPlain>;
    allow_shared(kernel, Tile::kShared);
    kernel<<<static_cast<unsigned>(ceil_div(x.m, Tile::kRows)), kThreads, Tile::kShared, stream>>>(x);
    LANEWORK_CHECK(cudaGetLastError());
}
template <int kTiles, bool kByColumns, class T>
void launch_form(const MatmulArgs<T>& x, cudaStream_t stream) {
    x.finish.plain() ? launch_tiles<kTiles, kByColumns, true>(x, stream)
                     : launch_tiles<kTiles, kByColumns, false>(x, stream);
}
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (!x.b_by_columns) return launch_form<1, false>(x, stream);
    x.k <= kTileCols ? launch_form<1, true>(x, stream) : launch_form<2, true>(x, stream);
}
std::string_view refuses(const Problem& p) { return refuse_before_ampere(p); }
#else
template <class T>
void launch(const MatmulArgs<T>&, cudaStream_t) {}  // refused
std::string_view refuses(const Problem&) { return kOnGpusAlone; }
#endif

/// Operands are read by 16 bytes, of which all are inside.
template <class T>
bool fits(const MatmulArgs<T>& x) {
    constexpr std::int64_t kMostTerms = std::int64_t{1} << 30;  // what is asked for beyond them is counted, too
    const bool few = x.b_by_columns ? x.k <= kMostCols : x.k == kTileCols;
    return few && x.n <= kMostTerms && x.n % 8 == 0 && on_16_bytes(x.a, x.a_pitch) && on_16_bytes(x.b, x.b_pitch);
}
}  // namespace

LANEWORK_RUNG(
    matmul, narrow,
    {
        .climbs_from = "mma_pipelined",
        .lesson = "Few columns: A goes from memory straight into fragments, since the order of a sum is free.",
        .launch = {launch<float16>, launch<bfloat16>},
        .refuses = refuses,
        .fits = {fits<float16>, fits<bfloat16>},
        .only = "8 columns, or B given by up to 16; rows of A and of B that start on 16 bytes, n a multiple of 8",
    });
// mends: few_loads_in_flight, shared_memory_bound
