// Rows that begin anywhere, in large matrices: what is written is whole sectors and nothing else. A column of the tile
// begins where a sector of its row of the output does, so columns begin up to a sector's rows below one another: the
// tile is sheared, and that many more rows are read than a column has. They are copied at boundaries, as they lie, and
// 16 bytes of a column are gathered element by element from as many rows: an element may lie anywhere, so that nothing
// is shifted, and the tile is never turned.
// architectures: 80-virtual 90-real
#include "ops/transpose/boundaries.cuh"
#include "ops/transpose/squares.cuh"

namespace {
constexpr int kSector = 32, kLine = 128, kRun = 256;  // bytes: written whole, of a request, what a tile is across
constexpr int kFetched = 256;  // by the second-level cache: tiles beside one another share what lies between boundaries
constexpr int kThreads = 512, kBlocks = 3;  // of a multiprocessor

/// How the lanes of a warp, which gather quads of one column or of several, are kept from the same banks.
enum class Spread {
    none,   ///< the distance between rows does it
    gaps,   ///< shared memory is left free, a quad after as many rows as a quad has elements
    turns,  ///< the words of a quad are read in another order in each column
};

/// A block's tile of elements of type T, and rows for each of its columns to begin at a sector.
template <class T>
struct Sheared {
    static constexpr int kSize = static_cast<int>(sizeof(T)), kSide = kQuad / kSize;
    static constexpr int kRows = 128, kCols = kRun / kSize;  ///< that are written
    static constexpr int kRead = kRows + kSector / kSize;    ///< rows
    static constexpr int kWritten = kRows / kSide;           ///< quads of a column
    using Tile = Tiles<kRows, kCols, TileOrder::down_columns>;
    using Corner = typename Tile::Corner;
    const TransposeArgsOf<T>& a;
    Corner corner;
    unsigned char* shared;
    /// Rows lie in shared memory as far from boundaries of 16 bytes as in memory: the first one here, the others this
    /// many bytes apart.
    int first, pitch;

    static __host__ __device__ int pitch_of(std::int64_t in_pitch) {
        return kRun + kQuad + static_cast<int>(in_pitch * kSize % kQuad);
    }
    /// Of bytes a warp gathers four columns. Each of them begins so many bytes farther from a boundary of 16 than the
    /// one before it: by one, and by the rows that it is sheared.
    static __host__ __device__ int farther(const TransposeArgsOf<T>& a) {
        return static_cast<int>((1 - a.in_pitch % kQuad * (a.out_pitch % kQuad)) & (kQuad - 1));
    }
    /// Lanes of one column read elements kSide rows apart: with an even number of elements to a row, all from a few
    /// banks.
    static Spread spread(const TransposeArgsOf<T>& a) {
        return a.in_pitch % 2 == 0 ? Spread::gaps : kSize == 1 && farther(a) % 8 == 0 ? Spread::turns : Spread::none;
    }
    static int bytes_of_shared(const TransposeArgsOf<T>& a) {
        const int gaps = spread(a) == Spread::gaps ? kRead / kSide : 0;
        return kQuad + kRead * pitch_of(a.in_pitch) + gaps * kQuad;
    }

    __device__ Sheared(const TransposeArgsOf<T>& args, unsigned char* memory)
        : a(args),
          corner(Tile::corner(args.cols)),
          shared(memory),
          first(past_boundary<kQuad>(args.in + corner.row * args.in_pitch + corner.col)),
          pitch(pitch_of(args.in_pitch)) {}

    template <Spread kSpread>
    __device__ int place(int row) const {
        return first + row * pitch + (kSpread == Spread::gaps ? row / kSide * kQuad : 0);
    }

    /// Copies the tile's rows from boundary to boundary. Lanes are counted from where a line begins, so that eight of
    /// them ask for one.
    template <Spread kSpread>
    __device__ void copy_rows() const {
        constexpr int kLanes = (kRun / kLine + 1) * (kLine / kQuad);  // quads of the lines that a row's run lies in
        const auto* const from = reinterpret_cast<const unsigned char*>(a.in + corner.row * a.in_pitch + corner.col);
        const std::int64_t in_pitch = a.in_pitch * kSize;
        // Calls copy(to, from) for a quad of the row, unless it lies beside the tile.
        const auto copy_quad = [&](int i, auto copy) {
            const int row = i / kLanes;
            const unsigned char* const at = from + row * in_pitch;
            const int past = i % kLanes * kQuad - past_boundary<kLine>(at);
            if (past > -kQuad && past < kRun) copy(shared + place<kSpread>(row) + past, at + past);
        };
        // Where no quad of these rows begins before the matrix, and the last row's last one does not end behind it.
        const std::int64_t left = (a.rows - corner.row - kRead) * a.in_pitch + a.cols - corner.col;
        if (corner.row > 0 && left * kSize >= kRun + kQuad) {
#pragma unroll 4
            for (int i = static_cast<int>(threadIdx.x); i < kRead * kLanes; i += kThreads)
                copy_quad(i, [](void* to, const void* quad) { copy_async<kQuad, kFetched>(to, quad, kQuad); });
        } else {
            const InputSpan span = span_of(a);
            const int rows = static_cast<int>(min(a.rows - corner.row, std::int64_t{kRead}));
#pragma unroll 1
            for (int i = static_cast<int>(threadIdx.x); i < rows * kLanes; i += kThreads)
                copy_quad(i, [&](unsigned char* to, const unsigned char* quad) { copy_within<kQuad>(span, to, quad); });
        }
        commit_copies();
        wait_copies<0>();
    }

    /// The 16 bytes of a column that begin at a row. Lanes whose words are `turned` by one to three read them in
    /// another order.
    template <Spread kSpread>
    __device__ uint4 quad_at(int row, int col, int turned) const {
        const unsigned char* const from = shared + place<kSpread>(row) + col * kSize;
        const auto unit = [&](int begin) {
            return unit_of<T>([&](int k) {
                const int below = begin + k;
                const bool gap = kSpread == Spread::gaps && below >= kSide - row % kSide;
                return *reinterpret_cast<const T*>((gap ? from + kQuad : from) + below * pitch);
            });
        };
        constexpr int k = kPerUnit<T>;
        if constexpr (kSize == 8) {
            const std::uint64_t low = unit(0), high = unit(1);
            return make_uint4(static_cast<unsigned>(low), static_cast<unsigned>(low >> 32), static_cast<unsigned>(high),
                              static_cast<unsigned>(high >> 32));
        } else if constexpr (kSpread == Spread::turns) {
            const auto turned_unit = [&](int i) { return unit((i + 4 - turned) % 4 * k); };
            uint4 q = make_uint4(turned_unit(0), turned_unit(1), turned_unit(2), turned_unit(3));
            if (turned & 1) q = make_uint4(q.y, q.z, q.w, q.x);
            if (turned & 2) q = make_uint4(q.z, q.w, q.x, q.y);
            return q;
        } else {
            return make_uint4(unit(0), unit(k), unit(2 * k), unit(3 * k));
        }
    }

    /// The binary logarithm of how far apart the four columns are that a warp gathers of bytes: each then begins 4 or
    /// 12 bytes farther from a boundary than the one before, in other banks. Of a multiple of 8 there are no such
    /// (turns).
    __device__ int columns_apart() const {
        const int bytes = farther(a);
        return kSize > 1 || bytes % 4 == 0 ? 0 : bytes % 2 == 0 ? 1 : 2;
    }

    /// Writes each column from its first sector on; the first tile of a column also what is before that.
    template <Spread kSpread>
    __device__ void store() const {
        // Bytes from the start: through a pointer to elements, nvcc 13.0 splits the store of a quad into four.
        auto* const out = reinterpret_cast<unsigned char*>(a.out + corner.col * a.out_pitch + corner.row);
        const std::int64_t out_pitch = a.out_pitch * kSize;
        const int rows = static_cast<int>(min(a.rows - corner.row, std::int64_t{kRead}));
        const int cols = static_cast<int>(min(a.cols - corner.col, std::int64_t{kCols}));
        const int apart = columns_apart();
#pragma unroll 2
        for (int i = static_cast<int>(threadIdx.x); i < kCols * kWritten; i += kThreads) {
            const int n = i / kWritten, quad = i % kWritten, four = n / 4;
            const int col = (four >> apart << apart) * 4 + (four & ((1 << apart) - 1)) + (n % 4 << apart);
            if (col >= cols) continue;
            unsigned char* const to = out + col * out_pitch;
            const int ahead = static_cast<int>(-reinterpret_cast<std::uintptr_t>(to) % kSector);
            const int bytes = ahead + quad * kQuad, row = bytes / kSize;
            const auto copy_singly = [&](int begin, int end) {
#pragma unroll 1
                for (int k = begin; k < min(end, rows); ++k)
                    *reinterpret_cast<T*>(to + k * kSize) =
                        *reinterpret_cast<const T*>(shared + place<kSpread>(k) + col * kSize);
            };
            if (row + kSide <= rows)
                *reinterpret_cast<uint4*>(to + bytes) = quad_at<kSpread>(row, col, n % 4);
            else
                copy_singly(row, row + kSide);
            if (corner.row == 0 && quad == 0) copy_singly(0, ahead / kSize);
        }
    }
};

template <Spread kSpread, class T>
__global__ void __launch_bounds__(kThreads, kBlocks) sheared_tile(TransposeArgsOf<T> a) {
    extern __shared__ uint4 asked[];
    const Sheared<T> tile(a, reinterpret_cast<unsigned char*>(asked));
    tile.template copy_rows<kSpread>();
    __syncthreads();
    tile.template store<kSpread>();
}

/// What `vectorized` does not move 16 bytes at a time on both sides. Where it does, it is faster.
template <class T>
bool begins_anywhere(const TransposeArgsOf<T>& a) {
    return !rows_aligned(a.in, a.cols, a.in_pitch) || !rows_aligned(a.out, a.rows, a.out_pitch);
}

std::string_view refuse(const Problem& p) {
    const std::string_view why = refuse_before_ampere(p);
    return why.empty() ? refuse_tiles<Sheared>(p) : why;
}

template <class T>
void launch(const TransposeArgsOf<T>& a, cudaStream_t stream) {
    using S = Sheared<T>;
    if (a.empty()) return;
    const int shared = S::bytes_of_shared(a);
    const Spread spread = S::spread(a);
    auto kernel = sheared_tile<Spread::none, T>;
    if (spread == Spread::gaps) kernel = sheared_tile<Spread::gaps, T>;
    if constexpr (sizeof(T) == 1)
        if (spread == Spread::turns) kernel = sheared_tile<Spread::turns, T>;
    allow_shared(kernel, shared);
    kernel<<<S::Tile::grid(a.rows, a.cols), kThreads, static_cast<unsigned>(shared), stream>>>(a);
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
