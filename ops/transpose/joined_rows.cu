// Matrices of a few columns, or of a few rows. Short rows lie one behind the other, so a block moves many of them as
// one run of bytes, and as many long runs on the other side: no tile is empty, and whole lines move on both. One row or
// one column is a copy.
// architectures: 80-virtual 90-real
#include <algorithm>

#include "ops/transpose/boundaries.cuh"

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
        // Large enough for long runs, and small enough for every multiprocessor to have several.
        const std::int64_t bytes = a.rows * a.cols * size;
        const int part = bytes >= 8 << 20 ? 16384 : bytes >= 1 << 20 ? 4096 : 2048;
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

/// Rows of a few elements: read as one run (unless they lie apart), written to as many rows, each from where a sector
/// begins, so that a few rows more are read than a part has.
template <bool kJoined, class T>
__global__ void __launch_bounds__(kThreads) few_columns(TransposeArgsOf<T> a, Cut cut) {
    extern __shared__ uint4 asked[];
    auto* const shared = reinterpret_cast<unsigned char*>(asked);
    constexpr int kSize = static_cast<int>(sizeof(T)), kCopied = kSize < 4 ? 4 : 16;
    const int thread = static_cast<int>(threadIdx.x), cols = cut.lines;
    const std::int64_t first = std::int64_t{blockIdx.x} * cut.run;
    const int most = cut.run + kSector / kSize, rows = static_cast<int>(min(a.rows - first, std::int64_t{most}));
    const T* const in = a.in + first * a.in_pitch;
    const int past = kJoined ? past_boundary<kCopied>(in) : 0;
    // Where a row has an even number of elements, what fills the banks once is followed by a gap: else lanes that
    // read a column would meet in a few banks.
    const int gap = cols % 2 == 0 ? kCopied : 0;
    const auto spread = [&](int place) { return place + place / kBanks * gap; };
    if (kJoined) {
        const auto* const from = reinterpret_cast<const unsigned char*>(in) - past;
        const int bytes = past + rows * cols * kSize;
        const InputSpan span = span_of(a);
#pragma unroll 4
        for (int place = thread * kCopied; place < bytes; place += kThreads * kCopied)
            copy_within<kCopied>(span, shared + spread(place), from + place);
        commit_copies();
        wait_copies<0>();
    } else {
#pragma unroll 4
        for (int i = thread; i < rows * cols; i += kThreads) {
            const int row = cut.quotient(i), col = i - row * cols;
            *reinterpret_cast<T*>(shared + spread(i * kSize)) = in[row * a.in_pitch + col];
        }
    }
    __syncthreads();
    cut.for_each([&](int col, int begin, int stride, int end) {
        const auto element = [&](int row) {
            return *reinterpret_cast<const T*>(shared + spread(past + (row * cols + col) * kSize));
        };
        T* const out = a.out + col * a.out_pitch + first;
        const int ahead = ahead_of_boundary<kSector>(out);
        const auto write = [&](int row) {
            *reinterpret_cast<Unit<T>*>(out + row) = unit_of<T>([&](int k) { return element(row + k); });
        };
        if (rows == most) {
#pragma unroll 4
            for (int unit = begin; unit < end; unit += stride) write(ahead + unit * kPerUnit<T>);
        } else {
            for (int unit = begin; unit < end; unit += stride) {
                const int row = ahead + unit * kPerUnit<T>;
                if (row + kPerUnit<T> <= rows)
                    write(row);
                else
                    for (int k = row; k < rows; ++k) out[k] = element(k);
            }
        }
        if (first == 0 && begin < ahead && begin < rows)
            for (int k = begin; k < min(ahead, rows); k += stride) out[k] = element(k);
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
    // Rows lie in shared memory as far from boundaries as in global.
    const int past = past_boundary<kCopied>(in);
    const int pitch = line_pitch<T>(cut) + static_cast<int>(a.in_pitch * kSize % kCopied);
    cut.for_each([&](int row, int begin, int stride, int end) {
        const auto* const line = reinterpret_cast<const unsigned char*>(in + row * a.in_pitch);
        const int ahead = past_boundary<kCopied>(line), bytes = ahead + cols * kSize;
        unsigned char* const to = shared + past + row * pitch - ahead;
        const auto copy = [&](int place) {
            if (place < bytes) copy_within<kCopied>(span, to + place, line - ahead + place);
        };
#pragma unroll 4
        for (int unit = begin; unit < end; unit += stride) copy(unit * kCopied);
        if (kSize < kCopied && begin == 0) copy(end * kCopied);
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

template <class T>
bool is_narrow(const TransposeArgsOf<T>& a) {
    return std::min(a.rows, a.cols) <= kMost<T>;
}

template <class T>
void launch(const TransposeArgsOf<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const Cut cut = Cut::of(a);
    const auto blocks = static_cast<unsigned>(ceil_div(std::max(a.rows, a.cols), cut.run));
    if (a.cols <= a.rows) {
        constexpr int kMostCopied = 16;
        const int bytes = cut.lines * (cut.run * static_cast<int>(sizeof(T)) + kSector) + 2 * kMostCopied;
        const auto shared = static_cast<unsigned>(bytes + bytes / kBanks * kMostCopied);
        const auto kernel = a.in_pitch == a.cols ? few_columns<true, T> : few_columns<false, T>;
        kernel<<<blocks, kThreads, shared, stream>>>(a, cut);
    } else {
        const auto shared = static_cast<unsigned>((cut.lines + 1) * (line_pitch<T>(cut) + kUnit<T>));
        const auto kernel = a.out_pitch == a.rows ? few_rows<true, T> : few_rows<false, T>;
        kernel<<<blocks, kThreads, shared, stream>>>(a, cut);
    }
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
