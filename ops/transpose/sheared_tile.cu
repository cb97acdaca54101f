// Rows that begin anywhere, in large matrices: what is written is whole sectors and nothing else. A column of the tile
// begins where a sector of its row of the output does, so columns begin up to a sector's rows below one another: the
// tile is sheared, and that many more rows are read than a column has. They are copied at boundaries, as they lie, and
// shifted as they come from shared memory, which needs no selects of words: its addresses choose them.
// architectures: 80-virtual 90-real
#include "ops/transpose/squares.cuh"
#include "src/cuda/copies_to_shared.cuh"

namespace {
constexpr int kSector = 32;  // bytes

/// A block's tile of elements of type T: Squares' columns, and rows for each of them to begin at a sector.
template <class T>
struct Sheared {
    using Tile = typename Squares<T>::Tile;
    using Corner = typename Tile::Corner;
    static constexpr int kSide = Squares<T>::kSide, kCols = Squares<T>::kCols, kAcross = Squares<T>::kAcross;
    static constexpr int kRows = Squares<T>::kRows + kSector / static_cast<int>(sizeof(T));  ///< that are read
    static constexpr int kDown = kRows / kSide, kThreads = kDown * kAcross;
    static constexpr int kWritten = Squares<T>::kDown;  ///< quads of a column
    static constexpr int kQuads = kAcross + 1;          ///< that a row of the tile lies in, wherever it begins
    static_assert(kRows <= kThreads, "a thread copies a row's last quad");
    /// Quads of a column of squares, turned. One more than they have, so that a warp's lanes, beside one another, write
    /// to different banks. Lanes below one another read pairs of words that lie a quad apart: every eighth from the
    /// same banks, twice the passes, which memory hides.
    static constexpr int kColumn = kSide * kDown + 1;
    /// Rows lie in shared memory as far from boundaries as in memory, so that they are copied in quads: this far apart
    /// at most. The turned tile takes their place.
    static constexpr int kMostPitch = kQuads * kQuad + kQuad - 1;
    static constexpr int kAsIs = (kQuad + kRows * kMostPitch) / kQuad * kQuad, kTurned = kAcross * kColumn * kQuad;
    static constexpr int kShared = kAsIs > kTurned ? kAsIs : kTurned;
    /// Of a multiprocessor, which has shared memory and registers for them.
    static constexpr int kBlocks = sizeof(T) == 2 || sizeof(T) == 8 ? 3 : 2;
};

/// The 16 bytes at `place` of shared memory, a multiple of an element.
template <class T>
__device__ uint4 quad_at(const unsigned char* shared, int place) {
    const auto* const pairs = reinterpret_cast<const uint2*>(shared + (place & ~7));
    const uint2 a = pairs[0], b = pairs[1];
    if constexpr (sizeof(T) == 8) return make_uint4(a.x, a.y, b.x, b.y);
    const uint2 c = pairs[2];
    const bool odd = (place & 4) != 0;
    const unsigned w[5] = {odd ? a.y : a.x, odd ? b.x : a.y, odd ? b.y : b.x, odd ? c.x : b.y, odd ? c.y : c.x};
    return sizeof(T) == 4 ? make_uint4(w[0], w[1], w[2], w[3]) : shifted_bytes(w, static_cast<unsigned>(place));
}

/// Copies the tile's rows to shared memory, row r to `first` + r · `pitch`, from boundary to boundary; what follows a
/// row's end is zeros, and so is what is ahead of the matrix. Of a tile in the midst of it (kInside) neither is there.
template <bool kInside, class T>
__device__ void copy_rows(unsigned char* shared, int first, int pitch, const TransposeArgsOf<T>& a,
                          const typename Sheared<T>::Corner& corner) {
    using S = Sheared<T>;
    const auto size = static_cast<std::int64_t>(sizeof(T));
    const auto address = [](const T* at) { return reinterpret_cast<std::intptr_t>(at); };
    const std::intptr_t begin = address(a.in), corner_at = address(a.in + corner.row * a.in_pitch + corner.col);
    const std::int64_t width = (a.cols - corner.col) * size;
    const auto copy = [&](int row, int quad) {
        if (!kInside && corner.row + row >= a.rows) return;
        const std::intptr_t row_at = corner_at + row * a.in_pitch * size, from = (row_at + quad * kQuad) & -kQuad;
        unsigned char* const to = shared + ((first + row * pitch + quad * kQuad) & -kQuad);
        if (kInside || from >= begin) {
            const std::int64_t left = row_at + width - from;
            const int given = kInside || left > kQuad ? kQuad : left > 0 ? static_cast<int>(left) : 0;
            copy_async<kQuad, 256>(to, reinterpret_cast<const void*>(given > 0 ? from : begin & -kQuad), given);
        } else {
#pragma unroll 1
            for (int i = 0; i < kQuad; ++i)
                to[i] = from + i < begin || from + i >= row_at + width
                            ? 0
                            : *reinterpret_cast<const unsigned char*>(from + i);
        }
    };
    const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int k = 0; k < S::kSide; ++k) copy(thread / S::kAcross + k * S::kDown, thread % S::kAcross);
    if (thread < S::kRows) copy(thread, S::kAcross);
    commit_copies();
    wait_copies<0>();
}

/// Each thread turns a square in its registers, and all of them then take the place of what was copied.
template <bool kInside, class T>
__device__ void turn(unsigned char* shared, int first, int pitch, const TransposeArgsOf<T>& a,
                     const typename Sheared<T>::Corner& corner) {
    using S = Sheared<T>;
    const int down = static_cast<int>(threadIdx.x) / S::kAcross, across = static_cast<int>(threadIdx.x) % S::kAcross;
    const std::int64_t row = corner.row + down * S::kSide, col = corner.col + across * S::kSide;
    int from = first + down * S::kSide * pitch + across * kQuad;
    uint4 r[S::kSide];
#pragma unroll
    for (int k = 0; k < S::kSide; ++k, from += pitch)
        r[k] = kInside || (row + k < a.rows && col < a.cols) ? quad_at<T>(shared, from) : make_uint4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < S::kSide; ++k)
        reinterpret_cast<uint4*>(shared)[across * S::kColumn + k * S::kDown + down] = column<T>(r, k);
}

/// Writes each column from its first sector on; the first tile of a column also what is before that.
template <bool kInside, class T>
__device__ void store(const unsigned char* shared, const TransposeArgsOf<T>& a,
                      const typename Sheared<T>::Corner& corner) {
    using S = Sheared<T>;
    constexpr int kSide = S::kSide, kSize = static_cast<int>(sizeof(T));
    // Bytes from the start: through a pointer to elements, nvcc 13.0 splits the store of a quad into four.
    auto* const out = reinterpret_cast<unsigned char*>(a.out + corner.col * a.out_pitch + corner.row);
    const std::int64_t pitch = a.out_pitch * kSize;
    for (int i = static_cast<int>(threadIdx.x); i < S::kCols * S::kWritten; i += S::kThreads) {
        const int col = i / S::kWritten, quad = i % S::kWritten;
        if (!kInside && corner.col + col >= a.cols) break;
        unsigned char* const to = out + col * pitch;
        const unsigned char* const from = shared + (col / kSide * S::kColumn + col % kSide * S::kDown) * kQuad;
        const int ahead = static_cast<int>(-reinterpret_cast<std::uintptr_t>(to) % kSector);
        const auto copy_singly = [&](int begin, int end) {
#pragma unroll 1
            for (int k = begin; k < end && corner.row + k / kSize < a.rows; k += kSize)
                *reinterpret_cast<T*>(to + k) = *reinterpret_cast<const T*>(from + k);
        };
        const int place = ahead + quad * kQuad;
        if (kInside || corner.row + place / kSize + kSide <= a.rows)
            *reinterpret_cast<uint4*>(to + place) = quad_at<T>(from, place);
        else
            copy_singly(place, place + kQuad);
        if (!kInside && corner.row == 0 && quad == 0) copy_singly(0, ahead);
    }
}

template <bool kInside, class T>
__device__ void transpose_tile(const TransposeArgsOf<T>& a, const typename Sheared<T>::Corner& corner) {
    extern __shared__ uint4 asked[];
    auto* const shared = reinterpret_cast<unsigned char*>(asked);
    const auto past_boundary = [](std::uintptr_t bytes) { return static_cast<int>(bytes % kQuad); };
    const int first = past_boundary(reinterpret_cast<std::uintptr_t>(a.in + corner.row * a.in_pitch + corner.col));
    const int pitch = Sheared<T>::kQuads * kQuad + past_boundary(static_cast<std::uintptr_t>(a.in_pitch) * sizeof(T));
    copy_rows<kInside>(shared, first, pitch, a, corner);
    __syncthreads();
    turn<kInside>(shared, first, pitch, a, corner);
    __syncthreads();
    store<kInside>(shared, a, corner);
}

template <class T>
__global__ void __launch_bounds__(Sheared<T>::kThreads, Sheared<T>::kBlocks) sheared_tile(TransposeArgsOf<T> a) {
    using S = Sheared<T>;
    const auto corner = S::Tile::corner(a.cols);
    // Below the first tile of a column there is nothing to write ahead, and above the last row, and a square ahead of
    // the last column, no quad ends outside of the matrix.
    if (corner.row > 0 && corner.row + S::kRows < a.rows && corner.col + S::kCols + S::kSide <= a.cols)
        transpose_tile<true>(a, corner);
    else
        transpose_tile<false>(a, corner);
}

/// What `vectorized` does not move 16 bytes at a time on both sides. Where it does, it is faster.
template <class T>
bool begins_anywhere(const TransposeArgsOf<T>& a) {
    return !rows_aligned(a.in, a.cols, a.in_pitch) || !rows_aligned(a.out, a.rows, a.out_pitch);
}

std::string_view refuse(const Problem& p) {
    const std::string_view why = refuse_before_ampere(p);
    return why.empty() ? refuse_squares(p) : why;
}

template <class T>
void launch(const TransposeArgsOf<T>& a, cudaStream_t stream) {
    using S = Sheared<T>;
    if (a.empty()) return;
    allow_shared(sheared_tile<T>, S::kShared);
    sheared_tile<T><<<S::Tile::grid(a.rows, a.cols), S::kThreads, S::kShared, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(
    transpose, sheared_tile,
    {
        .climbs_from = "realigned",
        .lesson = "Each column of a tile begins where a sector of the output does: only whole sectors are written.",
        .launch = {launch<std::uint8_t>, launch<std::uint16_t>, launch<std::int32_t>, launch<std::uint64_t>},
        .refuses = refuse,
        .fits = {begins_anywhere<std::uint8_t>, begins_anywhere<std::uint16_t>, begins_anywhere<std::int32_t>,
                 begins_anywhere<std::uint64_t>},
        .only = "unaligned rows",
    });
// mends: instruction_bound
