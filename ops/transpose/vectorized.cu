// Sixteen bytes per access everywhere: each thread turns a square in its registers, and shared memory moves its
// columns.
#include "ops/transpose/squares.cuh"

namespace {
// Where a square has few rows, a column's elements are permuted within their quads, too: element (row, col) is then at
// row ^ col of its column, and accesses of single elements are free of conflicts as those of quads are.
template <class T>
constexpr bool kPermutes = sizeof(T) >= 4;

/// The quad in the order that column k of a square has in shared memory, or back: xor by k undoes itself.
template <class T>
__device__ uint4 permuted(uint4 q, int k) {
    if constexpr (sizeof(T) == 4) {
        if (k & 1) q = make_uint4(q.y, q.x, q.w, q.z);
        if (k & 2) q = make_uint4(q.z, q.w, q.x, q.y);
    } else if constexpr (sizeof(T) == 8) {
        if (k & 1) q = make_uint4(q.z, q.w, q.x, q.y);
    }
    return q;
}

template <class T>
__device__ T& element(SquareTile<T>& tile, int row, int col) {
    static_assert(kPermutes<T>);
    return reinterpret_cast<T*>(tile.quads)[col * Squares<T>::kRows + (row ^ col)];
}

// 16-byte loads from as many rows as a square has: up to 256 bytes in flight per thread. Needs 16-byte aligned rows.
template <class T>
__device__ void load_squares(SquareTile<T>& tile, const TransposeArgsOf<T>& a,
                             const typename Squares<T>::Tile::Corner& corner) {
    constexpr int kSide = Squares<T>::kSide;
    const auto [down, across] = Squares<T>::read_by(static_cast<int>(threadIdx.x));
    const std::int64_t row = corner.row + down * kSide, col = corner.col + across * kSide;
    const uint4* from = reinterpret_cast<const uint4*>(a.in) + (row * a.in_pitch + col) / kSide;
    uint4 r[kSide];
#pragma unroll
    for (int k = 0; k < kSide; ++k, from += a.in_pitch / kSide)
        r[k] = row + k < a.rows && col < a.cols ? *from : make_uint4(0, 0, 0, 0);
#pragma unroll
    for (int k = 0; k < kSide; ++k) tile.quad(down, across, k) = permuted<T>(column<T>(r, k), k);
}

template <class T>
__device__ void store_squares(SquareTile<T>& tile, const TransposeArgsOf<T>& a,
                              const typename Squares<T>::Tile::Corner& corner) {
    constexpr int kSide = Squares<T>::kSide;
    const auto [down, across] = Squares<T>::written_by(static_cast<int>(threadIdx.x));
    const std::int64_t row = corner.row + down * kSide, col = corner.col + across * kSide;
    // A pointer to quads from the start: through a pointer to elements, nvcc 13.0 splits the store into four.
    uint4* to = reinterpret_cast<uint4*>(a.out) + (col * a.out_pitch + row) / kSide;
#pragma unroll
    for (int k = 0; k < kSide; ++k, to += a.out_pitch / kSide)
        if (row < a.rows && col + k < a.cols) *to = permuted<T>(tile.quad(down, across, k), k);
}

// Element by element, still coalesced: for rows that do not begin on 16-byte boundaries.
template <class T>
__device__ void load_elements(SquareTile<T>& tile, const TransposeArgsOf<T>& a,
                              const typename Squares<T>::Tile::Corner& corner) {
    constexpr int kCols = Squares<T>::kCols, kThreads = Squares<T>::kThreads;
    constexpr int kLines = kThreads / kCols;  // rows that are loaded at once
    constexpr int kPerThread = Squares<T>::kRows * kCols / kThreads;
    const int x = static_cast<int>(threadIdx.x) % kCols, y = static_cast<int>(threadIdx.x) / kCols;
    const std::int64_t col = corner.col + x;
    const T* from = a.in + (corner.row + y) * a.in_pitch + col;
    T held[kPerThread];
#pragma unroll
    for (int k = 0; k < kPerThread; ++k, from += kLines * a.in_pitch)
        held[k] = corner.row + y + k * kLines < a.rows && col < a.cols ? *from : 0;
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) element(tile, y + k * kLines, x) = held[k];
}

template <class T>
__device__ void store_elements(SquareTile<T>& tile, const TransposeArgsOf<T>& a,
                               const typename Squares<T>::Tile::Corner& corner) {
    constexpr int kRows = Squares<T>::kRows, kThreads = Squares<T>::kThreads;
    constexpr int kLines = kThreads / kRows;  // columns that are stored at once
    constexpr int kPerThread = kRows * Squares<T>::kCols / kThreads;
    const int x = static_cast<int>(threadIdx.x) % kRows, y = static_cast<int>(threadIdx.x) / kRows;
    const std::int64_t row = corner.row + x;
    T* to = a.out + (corner.col + y) * a.out_pitch + row;
#pragma unroll
    for (int k = 0; k < kPerThread; ++k, to += kLines * a.out_pitch)
        if (row < a.rows && corner.col + y + k * kLines < a.cols) *to = element(tile, x, y + k * kLines);
}

template <bool kWideLoads, bool kWideStores, class T>
__global__ void __launch_bounds__(Squares<T>::kThreads) vectorized(TransposeArgsOf<T> a) {
    SquareTile<T>& tile = block_tile<T>();
    const auto corner = Squares<T>::Tile::corner(a.cols);
    if constexpr (kWideLoads)
        load_squares(tile, a, corner);
    else
        load_elements(tile, a, corner);
    __syncthreads();
    if constexpr (kWideStores)
        store_squares(tile, a, corner);
    else
        store_elements(tile, a, corner);
}

template <class T>
bool loads_wide(const TransposeArgsOf<T>& a) {
    return rows_aligned(a.in, a.cols, a.in_pitch);
}
template <class T>
bool stores_wide(const TransposeArgsOf<T>& a) {
    return rows_aligned(a.out, a.rows, a.out_pitch);
}

/// Bytes and halves are not moved one by one: 32 lanes would move a sector or two.
template <class T>
bool fits(const TransposeArgsOf<T>& a) {
    return loads_wide(a) && stores_wide(a);
}

template <class T>
void launch(const TransposeArgsOf<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    if constexpr (kPermutes<T>) {
        if (!loads_wide(a) && !stores_wide(a)) return launch_squares<T>(vectorized<false, false>, a, stream);
        if (!loads_wide(a)) return launch_squares<T>(vectorized<false, true>, a, stream);
        if (!stores_wide(a)) return launch_squares<T>(vectorized<true, false>, a, stream);
    }
    launch_squares<T>(vectorized<true, true>, a, stream);
}
}  // namespace

LANEWORK_RUNG(transpose, vectorized,
              {
                  .climbs_from = "swizzled_tile",
                  .lesson = "4x4 blocks in registers make every access, global and shared, 16 bytes wide.",
                  .launch = {launch<std::int32_t>, launch<std::uint8_t>, launch<std::uint16_t>, launch<std::uint64_t>},
                  .refuses = refuse_squares,
                  .fits = {fits<std::uint8_t>, fits<std::uint16_t>},
                  .only = "16-byte aligned rows",
              });
// mends: narrow_vectors
