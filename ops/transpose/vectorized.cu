// Sixteen bytes per access everywhere: each thread turns a 4×4 block in its registers, and shared memory moves blocks.
#include "ops/transpose/operation.hpp"
#include "ops/transpose/tiles.hpp"

namespace {
// Runs of 256 bytes are read and of 512 bytes written: a row of the output that starts in the middle of a sector costs
// two partial sectors per run, so long runs are worth most there. Tiles one below the other continue those rows.
constexpr int kRows = 128, kCols = 64, kSide = 4;
constexpr int kBlocksDown = kRows / kSide, kBlocksAcross = kCols / kSide, kThreads = kBlocksDown * kBlocksAcross;
using Tile = Tiles<kRows, kCols, TileOrder::down_columns>;
using Element = TransposeArgs::Element;

// The tile lies transposed in shared memory: element (row, col) at word col·128 + (row ^ col). Seen as quads of four
// words, a 4×4 block's column is the quad (row/4 ^ col/4), its words permuted by col mod 4. Quads, rows and columns
// each spread over all banks, so that both wide and element-wise accesses on either side are free of conflicts.
struct Staging {
    static_assert(kCols <= kRows, "row ^ col must stay within the row");
    int4 quads[kCols * kBlocksDown];

    __device__ Element& at(int row, int col) { return reinterpret_cast<Element*>(quads)[col * kRows + (row ^ col)]; }
    __device__ int4& quad(int block_row, int block_col, int k) {
        return quads[(block_col * kSide + k) * kBlocksDown + (block_row ^ block_col)];
    }
};

/// Four words in the order that column k of a block has in shared memory, or back: xor by k undoes itself.
__device__ int4 permuted(int4 q, int k) {
    if (k & 1) q = make_int4(q.y, q.x, q.w, q.z);
    if (k & 2) q = make_int4(q.z, q.w, q.x, q.y);
    return q;
}

// Four 16-byte loads from four rows: 64 bytes in flight per thread. Needs 16-byte aligned rows.
__device__ void load_blocks(Staging& tile, const TransposeArgs& a, const Tile::Corner& corner) {
    const int block_row = static_cast<int>(threadIdx.x) / kBlocksAcross,
              block_col = static_cast<int>(threadIdx.x) % kBlocksAcross;
    const std::int64_t row = corner.row + block_row * kSide, col = corner.col + block_col * kSide;
    const int4* from = reinterpret_cast<const int4*>(a.in) + (row * a.in_pitch + col) / kSide;
    int4 r[kSide];
#pragma unroll
    for (int k = 0; k < kSide; ++k, from += a.in_pitch / kSide)
        r[k] = row + k < a.rows && col < a.cols ? *from : make_int4(0, 0, 0, 0);
    tile.quad(block_row, block_col, 0) = permuted(make_int4(r[0].x, r[1].x, r[2].x, r[3].x), 0);
    tile.quad(block_row, block_col, 1) = permuted(make_int4(r[0].y, r[1].y, r[2].y, r[3].y), 1);
    tile.quad(block_row, block_col, 2) = permuted(make_int4(r[0].z, r[1].z, r[2].z, r[3].z), 2);
    tile.quad(block_row, block_col, 3) = permuted(make_int4(r[0].w, r[1].w, r[2].w, r[3].w), 3);
}

__device__ void store_blocks(Staging& tile, const TransposeArgs& a, const Tile::Corner& corner) {
    const int block_row = static_cast<int>(threadIdx.x) % kBlocksDown,
              block_col = static_cast<int>(threadIdx.x) / kBlocksDown;
    const std::int64_t row = corner.row + block_row * kSide, col = corner.col + block_col * kSide;
    // A pointer to quads from the start: through a pointer to elements, nvcc 13.0 splits the store into four.
    int4* to = reinterpret_cast<int4*>(a.out) + (col * a.out_pitch + row) / kSide;
#pragma unroll
    for (int k = 0; k < kSide; ++k, to += a.out_pitch / kSide)
        if (row < a.rows && col + k < a.cols) *to = permuted(tile.quad(block_row, block_col, k), k);
}

// Element by element, still coalesced: for rows that do not begin on 16-byte boundaries.
constexpr int kPerThread = kRows * kCols / kThreads;

__device__ void load_elements(Staging& tile, const TransposeArgs& a, const Tile::Corner& corner) {
    constexpr int kLines = kThreads / kCols;  // rows that are loaded at once
    const int x = static_cast<int>(threadIdx.x) % kCols, y = static_cast<int>(threadIdx.x) / kCols;
    const std::int64_t col = corner.col + x;
    const Element* from = a.in + (corner.row + y) * a.in_pitch + col;
    Element held[kPerThread];
#pragma unroll
    for (int k = 0; k < kPerThread; ++k, from += kLines * a.in_pitch)
        held[k] = corner.row + y + k * kLines < a.rows && col < a.cols ? *from : 0;
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) tile.at(y + k * kLines, x) = held[k];
}

__device__ void store_elements(Staging& tile, const TransposeArgs& a, const Tile::Corner& corner) {
    constexpr int kLines = kThreads / kRows;  // columns that are stored at once
    const int x = static_cast<int>(threadIdx.x) % kRows, y = static_cast<int>(threadIdx.x) / kRows;
    const std::int64_t row = corner.row + x;
    Element* to = a.out + (corner.col + y) * a.out_pitch + row;
#pragma unroll
    for (int k = 0; k < kPerThread; ++k, to += kLines * a.out_pitch)
        if (row < a.rows && corner.col + y + k * kLines < a.cols) *to = tile.at(x, y + k * kLines);
}

template <bool kWideLoads, bool kWideStores>
__global__ void __launch_bounds__(kThreads) vectorized(TransposeArgs a) {
    __shared__ Staging tile;
    const Tile::Corner corner = Tile::corner(a.cols);
    if constexpr (kWideLoads)
        load_blocks(tile, a, corner);
    else
        load_elements(tile, a, corner);
    __syncthreads();
    if constexpr (kWideStores)
        store_blocks(tile, a, corner);
    else
        store_elements(tile, a, corner);
}

/// True when every row of a matrix begins on a 16-byte boundary and holds whole blocks.
bool rows_aligned(const Element* matrix, std::int64_t width, std::int64_t pitch) {
    return reinterpret_cast<std::uintptr_t>(matrix) % sizeof(int4) == 0 && width % kSide == 0 && pitch % kSide == 0;
}

void launch(const TransposeArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const unsigned grid = Tile::grid(a.rows, a.cols);
    const bool wide_loads = rows_aligned(a.in, a.cols, a.in_pitch),
               wide_stores = rows_aligned(a.out, a.rows, a.out_pitch);
    if (wide_loads && wide_stores)
        vectorized<true, true><<<grid, kThreads, 0, stream>>>(a);
    else if (wide_loads)
        vectorized<true, false><<<grid, kThreads, 0, stream>>>(a);
    else if (wide_stores)
        vectorized<false, true><<<grid, kThreads, 0, stream>>>(a);
    else
        vectorized<false, false><<<grid, kThreads, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(transpose, vectorized,
              {
                  .climbs_from = "swizzled_tile",
                  .lesson = "4x4 blocks in registers make every access, global and shared, 16 bytes wide.",
                  .launch = launch,
                  .refuses = Tile::refuse,
              });
// mends: narrow_vectors
