// Matrices of a few columns, or of a few rows. Short rows lie one behind the other, so a block moves many of them as
// one run of bytes, and as many long runs on the other side: no tile is empty, and whole lines move on both. One row or
// one column is a copy.
// architectures: 80-virtual 90-real
#include <algorithm>

#include "ops/transpose/shifted_quads.cuh"

namespace {
/// Rows, or columns: with more of them, full tiles are faster.
template <class T>
constexpr int kMost = sizeof(T) == 1   ? 127
                      : sizeof(T) == 2 ? 63
                                       : 31;
constexpr int kThreads = 128;
constexpr int kSector = 32, kBanks = 128;  // bytes: what is written at least, what all banks hold

/// How a matrix is cut into parts, a block for each: some elements of every long line.
struct Cut {
    int lines;  ///< of the short side
    int run;    ///< elements of a line in a part: 2^shift units
    int shift;
    unsigned reciprocal;  ///< 2^32 / lines, rounded up; 0 for one line

    template <class T>
    static Cut of(const TransposeArgsOf<T>& a) {
        const auto size = static_cast<std::int64_t>(sizeof(T)), lines = std::min(a.rows, a.cols);
        // Large enough for long runs (of a few rows of bytes twice as large), and small enough for every multiprocessor
        // to have several.
        const std::int64_t bytes = a.rows * a.cols * size;
        const int large = size == 1 && a.rows < a.cols ? 16384 : 8192;
        const int part = bytes >= 8 << 20 ? large : bytes >= 1 << 20 ? 4096 : 2048;
        std::int64_t run = kBanks;
        int shift = 0;
        while (2 * run * lines <= part) run *= 2;
        while (kUnit<T> << shift < run) ++shift;
        const auto reciprocal = static_cast<unsigned>(((std::int64_t{1} << 32) + lines - 1) / lines);
        return {static_cast<int>(lines), static_cast<int>(run / size), shift, reciprocal};
    }
    /// i / lines, of an i below 2^16.
    __device__ int quotient(int i) const {
        return reciprocal == 0 ? i : static_cast<int>(__umulhi(static_cast<unsigned>(i), reciprocal));
    }
    /// Calls line(i, first, stride, end) for each line that this thread has units of: `first`, and every stride-th up
    /// to `end`.
    template <class Line>
    __device__ void for_each(Line line) const {
        // 2^together threads share a line, so that each has four units of it or more.
        const int together = min(max(shift - 2, 4), 7), thread = static_cast<int>(threadIdx.x);
        const int first = thread & ((1 << together) - 1);
        for (int i = thread >> together; i < lines; i += kThreads >> together)
            line(i, first, 1 << together, 1 << shift);
    }
};
static_assert(kThreads == 1 << 7);

/// Short rows, one behind the other in shared memory. Lanes side by side gather units below one another in a column:
/// with an even number of columns some of them would meet in each bank. So they take a unit's elements in different
/// orders, or where that is not enough, there is a gap for each 128 bytes.
template <bool kGaps, class T>
struct ShortRows {
    static constexpr int kSize = static_cast<int>(sizeof(T)), kCopied = kGaps && kSize < 4 ? 4 : kQuad;  ///< bytes
    unsigned char* shared;
    int past;  ///< bytes before the first row: as many as lie between a boundary of kCopied and that row in memory
    int cols;
    int turn = 0;                ///< a lane begins with this element of a unit
    int offsets[kPerUnit<T>]{};  ///< in that order, in elements

    static bool wants_gaps(int cols) { return cols % (kSize < 4 ? 16 : 8) == 0; }
    /// Bytes of shared memory for so many rows.
    static unsigned bytes(int rows, int cols) {
        const int all = rows * cols * kSize + 2 * kCopied;
        return static_cast<unsigned>(all + (kGaps ? all / kBanks * kCopied : 0));
    }

    __device__ ShortRows(uint4* asked, int bytes_past, int columns)
        : shared(reinterpret_cast<unsigned char*>(asked)), past(bytes_past), cols(columns) {
        if constexpr (!kGaps && kPerUnit < T >> 1) {
            // Of 2^twos times an odd number of columns, as many lanes meet.
            const int twos = min(__ffs(cols) - 1, 5), group = static_cast<int>(threadIdx.x) % 32 >> (5 - twos);
            turn = (twos == 1 ? group * kPerUnit<T> / 2 : group) % kPerUnit<T>;
        }
#pragma unroll
        for (int k = 0; k < kPerUnit<T>; ++k) offsets[k] = (k + turn) % kPerUnit<T> * cols;
    }
    /// A byte, counted from the first row's first.
    __device__ unsigned char* byte(int place) const {
        const auto at = static_cast<unsigned>(past + place);
        return shared + (kGaps ? at + at / kBanks * kCopied : at);
    }
    __device__ T& element(int i) const { return *reinterpret_cast<T*>(byte(i * kSize)); }
    /// As many elements of a column as a unit has, from a row on.
    __device__ Unit<T> gathered(int row, int col) const {
        const int begin = row * cols + col;
        const Unit<T> unit = unit_of<T>([&](int k) { return element(begin + offsets[k]); });
        if constexpr (kGaps || kPerUnit<T> == 1)
            return unit;
        else
            return __funnelshift_l(unit, unit, turn * 8 * kSize);
    }
};

/// Rows of a few elements: read as one run (unless they lie apart), written to as many rows, each from where a sector
/// begins, so that a few rows more are read than a part has.
template <bool kJoined, bool kGaps, class T>
__global__ void __launch_bounds__(kThreads) few_columns(TransposeArgsOf<T> a, Cut cut) {
    extern __shared__ uint4 asked[];
    using Rows = ShortRows<kGaps, T>;
    constexpr int kSize = Rows::kSize, kCopied = Rows::kCopied;
    const int thread = static_cast<int>(threadIdx.x), cols = cut.lines;
    const std::int64_t first = std::int64_t{blockIdx.x} * cut.run;
    const int most = cut.run + kSector / kSize, rows = static_cast<int>(min(a.rows - first, std::int64_t{most}));
    const T* const in = a.in + first * a.in_pitch;
    const int past = kJoined ? past_boundary<kCopied>(in) : 0;
    const Rows run(asked, past, cols);
    if (kJoined) {
        const auto* const from = reinterpret_cast<const unsigned char*>(in) - past;
        const int bytes = past + rows * cols * kSize;
        const InputSpan span = span_of(a);
        if (first > 0 && from + bytes + kCopied <= span.end) {
#pragma unroll 4
            for (int place = thread * kCopied; place < bytes; place += kThreads * kCopied)
                copy_async<kCopied>(run.byte(place - past), from + place, kCopied);
        } else {
#pragma unroll 1
            for (int place = thread * kCopied; place < bytes; place += kThreads * kCopied)
                copy_within<kCopied>(span, run.byte(place - past), from + place);
        }
        commit_copies();
        wait_copies<0>();
    } else {
#pragma unroll 4
        for (int i = thread; i < rows * cols; i += kThreads) {
            const int row = cut.quotient(i), col = i - row * cols;
            run.element(i) = in[row * a.in_pitch + col];
        }
    }
    __syncthreads();
    cut.for_each([&](int col, int begin, int stride, int end) {
        T* const out = a.out + col * a.out_pitch + first;
        const int ahead = ahead_of_boundary<kSector>(out);
        const auto write = [&](int row) { *reinterpret_cast<Unit<T>*>(out + row) = run.gathered(row, col); };
        const auto write_singly = [&](int from, int to, int step) {
#pragma unroll 1
            for (int row = from; row < to; row += step) out[row] = run.element(row * cols + col);
        };
        if (rows == most) {
#pragma unroll 4
            for (int unit = begin; unit < end; unit += stride) write(ahead + unit * kPerUnit<T>);
        } else {
#pragma unroll 1
            for (int unit = begin; unit < end; unit += stride) {
                const int row = ahead + unit * kPerUnit<T>;
                if (row + kPerUnit<T> <= rows)
                    write(row);
                else
                    write_singly(row, rows, 1);
            }
        }
        if (first == 0) write_singly(begin, min(ahead, rows), stride);
    });
}

/// Bytes from a line to the next in shared memory, but for the difference of their distances from boundaries. It is
/// longer than a line by so much that lanes, which read all lines of a few columns, meet in few banks.
template <class T>
__host__ __device__ int line_pitch(const Cut& cut) {
    constexpr int kSpread = kBanks / kUnit<T>;
    return ((1 << cut.shift) + (kSpread + cut.lines - 1) / cut.lines) * kUnit<T>;
}

/// A few long rows: read as they are, written as one run (unless the output's rows lie apart).
template <bool kJoined, class T>
__global__ void __launch_bounds__(kThreads) few_rows(TransposeArgsOf<T> a, Cut cut) {
    extern __shared__ uint4 asked[];
    auto* const shared = reinterpret_cast<unsigned char*>(asked);
    constexpr int kSize = static_cast<int>(sizeof(T)), kCopied = kUnit<T>;
    const int thread = static_cast<int>(threadIdx.x), rows = cut.lines;
    const std::int64_t first = std::int64_t{blockIdx.x} * cut.run;
    const int cols = static_cast<int>(min(a.cols - first, std::int64_t{cut.run}));
    const T* const in = a.in + first;
    const InputSpan span = span_of(a);
    const bool inner = first > 0 && first + cut.run + kPerUnit<T> <= a.cols;
    // Rows lie in shared memory as far from boundaries as in global.
    const int past = past_boundary<kCopied>(in);
    const int pitch = line_pitch<T>(cut) + static_cast<int>(a.in_pitch * kSize % kCopied);
    cut.for_each([&](int row, int begin, int stride, int end) {
        const auto* const line = reinterpret_cast<const unsigned char*>(in + row * a.in_pitch);
        const int ahead = past_boundary<kCopied>(line), bytes = ahead + cols * kSize;
        const unsigned char* const from = line - ahead;
        unsigned char* const to = shared + past + row * pitch - ahead;
        if (inner) {
#pragma unroll 4
            for (int unit = begin; unit < end; unit += stride)
                copy_async<kCopied>(to + unit * kCopied, from + unit * kCopied, kCopied);
            if (kSize < kCopied && begin == 0) copy_async<kCopied>(to + end * kCopied, from + end * kCopied, kCopied);
        } else {
#pragma unroll 1
            for (int place = begin * kCopied; place < bytes; place += stride * kCopied)
                copy_within<kCopied>(span, to + place, from + place);
        }
    });
    commit_copies();
    wait_copies<0>();
    __syncthreads();
    const int count = rows * cols;
    T* const out = a.out + first * a.out_pitch;
    if (!kJoined) {
#pragma unroll 4
        for (int i = thread; i < count; i += kThreads) {
            const int col = cut.quotient(i), row = i - col * rows;
            out[col * a.out_pitch + row] = *reinterpret_cast<const T*>(shared + past + row * pitch + col * kSize);
        }
        return;
    }
    const int back = rows * pitch - kSize;  // from behind a column's last element to the next one's first
    const auto element = [&](int i) {
        return *reinterpret_cast<const T*>(shared + past + i * pitch - cut.quotient(i) * back);
    };
    const int ahead = ahead_of_boundary<kUnit<T>>(out);
    const int whole = ahead + (count - ahead) / kPerUnit<T> * kPerUnit<T>;
#pragma unroll 4
    for (int i = ahead + thread * kPerUnit<T>; i < whole; i += kThreads * kPerUnit<T>)
        *reinterpret_cast<Unit<T>*>(out + i) = unit_of<T>([&](int k) { return element(i + k); });
    if (sizeof(T) < 4) {
        if (thread < ahead && thread < count) out[thread] = element(thread);
        if (whole + thread < count) out[whole + thread] = element(whole + thread);
    }
}

// Two to eight rows of bytes or halves are turned in registers: a unit of each makes as many units of the output.
constexpr int kMostTurned = 8, kTurning = 256, kUnits = 2;  // rows, threads, units of a row in each

/// The m-th of these units.
template <class T, int kRows>
__device__ unsigned turned(const unsigned (&row)[kRows], int m) {
    // Elements i and i + 1 of the output lie i % kRows rows down and i / kRows to the right.
    const auto pair = [&](int i) {
        const auto left = static_cast<unsigned>(i / kRows), right = static_cast<unsigned>((i + 1) / kRows);
        const unsigned which = sizeof(T) == 1 ? 0x40 + left + 0x10 * right : 0x5410 + 0x22 * left + 0x2200 * right;
        return __byte_perm(row[i % kRows], row[(i + 1) % kRows], which);
    };
    return sizeof(T) == 1 ? __byte_perm(pair(4 * m), pair(4 * m + 2), 0x5410) : pair(2 * m);
}

/// The output begins at a boundary of a quad, and its rows touch.
template <int kRows, class T>
__global__ void __launch_bounds__(kTurning) turned_rows(TransposeArgsOf<T> a) {
    constexpr int kPer = kPerUnit<T>, kRun = kTurning * kUnits * kPer;
    __shared__ uint4 quads[kRun * kRows * static_cast<int>(sizeof(T)) / kQuad];
    auto* const staged = reinterpret_cast<unsigned*>(quads);
    const int thread = static_cast<int>(threadIdx.x);
    const std::int64_t first = std::int64_t{blockIdx.x} * kRun, left = a.cols - first;
    const bool inner = first > 0 && left >= kRun + kPer;
    unsigned units[kUnits][kRows];
    if (inner) {
        // A row begins anywhere: a unit lies in two at boundaries. All are asked for before the first is used.
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const auto* const line = reinterpret_cast<const unsigned char*>(a.in + r * a.in_pitch + first);
            const int past = past_boundary<sizeof(unsigned)>(line);
            const auto* const from = reinterpret_cast<const unsigned*>(line - past) + thread;
#pragma unroll
            for (int u = 0; u < kUnits; ++u)
                units[u][r] = __funnelshift_r(from[u * kTurning], from[u * kTurning + 1], past * 8);
        }
    } else {
#pragma unroll
        for (int r = 0; r < kRows; ++r)
#pragma unroll
            for (int u = 0; u < kUnits; ++u) {
                const int col = (u * kTurning + thread) * kPer;
                const T* const from = a.in + r * a.in_pitch + first + col;
                units[u][r] = unit_of<T>([&](int k) { return col + k < left ? from[k] : T{}; });
            }
    }
#pragma unroll
    for (int u = 0; u < kUnits; ++u)
#pragma unroll
        for (int m = 0; m < kRows; ++m) staged[(u * kTurning + thread) * kRows + m] = turned<T, kRows>(units[u], m);
    __syncthreads();
    T* const out = a.out + first * kRows;
    if (inner) {
        constexpr int kQuads = sizeof(quads) / kQuad;
#pragma unroll
        for (int i = 0; i < kQuads; i += kTurning)
            if (i + thread < kQuads) reinterpret_cast<uint4*>(out)[i + thread] = quads[i + thread];
    } else {
        const auto count = static_cast<int>(min(left, std::int64_t{kRun})) * kRows;
        for (int i = thread; i < count; i += kTurning) out[i] = reinterpret_cast<const T*>(quads)[i];
    }
}

// One row or one column: a quad a thread.
constexpr int kCopying = 256;
__global__ void __launch_bounds__(kCopying) one_line(InputSpan in, unsigned char* out) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kCopying + threadIdx.x, bytes = in.end - in.begin;
    const std::int64_t ahead = min(std::int64_t{ahead_of_boundary<kQuad>(out)}, bytes);
    const std::int64_t place = ahead + i * kQuad, rest = bytes - (bytes - ahead) % kQuad;
    const unsigned char* const from = in.begin + place;
    if (place + kQuad <= bytes)
        *reinterpret_cast<uint4*>(out + place) =
            past_boundary<kQuad>(from) == 0 ? *reinterpret_cast<const uint4*>(from) : read_shifted(from, in);
    if (i < ahead) out[i] = in.begin[i];
    if (i < bytes - rest) out[rest + i] = in.begin[rest + i];
}

template <class T>
bool is_narrow(const TransposeArgsOf<T>& a) {
    return std::min(a.rows, a.cols) <= kMost<T>;
}

template <class T>
bool is_one_line(const TransposeArgsOf<T>& a) {
    return (a.rows == 1 && a.out_pitch == 1) || (a.cols == 1 && a.in_pitch == 1);
}

template <class T>
void copy_line(const TransposeArgsOf<T>& a, cudaStream_t stream) {
    const auto* const in = reinterpret_cast<const unsigned char*>(a.in);
    const std::int64_t bytes = a.rows * a.cols * static_cast<std::int64_t>(sizeof(T));
    const std::int64_t blocks =
        bytes / kQuad / kCopying + 1;  // a thread for each byte before and behind the quads, too
    one_line<<<static_cast<unsigned>(blocks), kCopying, 0, stream>>>({in, in + bytes},
                                                                     reinterpret_cast<unsigned char*>(a.out));
}

template <class T>
bool is_turned(const TransposeArgsOf<T>& a) {
    return sizeof(T) < 4 && a.rows >= 2 && a.rows <= kMostTurned && a.rows < a.cols && a.out_pitch == a.rows &&
           reinterpret_cast<std::uintptr_t>(a.out) % kQuad == 0;
}

template <int kRows, class T>
void turn_rows(const TransposeArgsOf<T>& a, cudaStream_t stream) {
    if constexpr (kRows < kMostTurned)
        if (a.rows > kRows) return turn_rows<kRows + 1>(a, stream);
    const std::int64_t blocks = ceil_div(a.cols, kTurning * kUnits * kPerUnit<T>);
    turned_rows<kRows, T><<<static_cast<unsigned>(blocks), kTurning, 0, stream>>>(a);
}

template <bool kGaps, class T>
void launch_columns(const TransposeArgsOf<T>& a, const Cut& cut, unsigned blocks, cudaStream_t stream) {
    const unsigned shared = ShortRows<kGaps, T>::bytes(cut.run + kSector / static_cast<int>(sizeof(T)), cut.lines);
    const auto kernel = a.in_pitch == a.cols ? few_columns<true, kGaps, T> : few_columns<false, kGaps, T>;
    kernel<<<blocks, kThreads, shared, stream>>>(a, cut);
}

template <class T>
void launch_rows(const TransposeArgsOf<T>& a, const Cut& cut, unsigned blocks, cudaStream_t stream) {
    const auto shared = static_cast<unsigned>((cut.lines + 1) * (line_pitch<T>(cut) + kUnit<T>));
    const auto kernel = a.out_pitch == a.rows ? few_rows<true, T> : few_rows<false, T>;
    kernel<<<blocks, kThreads, shared, stream>>>(a, cut);
}

template <class T>
void launch(const TransposeArgsOf<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    if (is_one_line(a)) return copy_line(a, stream);
    if constexpr (sizeof(T) < 4)
        if (is_turned(a)) return turn_rows<2>(a, stream);
    const Cut cut = Cut::of(a);
    const auto blocks = static_cast<unsigned>(ceil_div(std::max(a.rows, a.cols), cut.run));
    if (a.rows < a.cols) return launch_rows(a, cut, blocks, stream);
    if (ShortRows<true, T>::wants_gaps(cut.lines)) return launch_columns<true>(a, cut, blocks, stream);
    launch_columns<false>(a, cut, blocks, stream);
}
}  // namespace

LANEWORK_RUNG(transpose, joined_rows,
              {
                  .climbs_from = "vectorized",
                  .lesson = "Rows shorter than a tile are moved many at a time, as the one run of bytes that they are.",
                  .launch = {launch<std::uint8_t>, launch<std::uint16_t>, launch<std::int32_t>, launch<std::uint64_t>},
                  .refuses = refuse_before_ampere,
                  .fits = {is_narrow<std::uint8_t>, is_narrow<std::uint16_t>, is_narrow<std::int32_t>,
                           is_narrow<std::uint64_t>},
                  .only = "a few rows or columns (31; 63 of two bytes, 127 of one)",
              });
// mends: idle_threads, uncoalesced_access
