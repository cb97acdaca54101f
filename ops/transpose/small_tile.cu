// Small matrices of bytes and halves whose rows begin anywhere: tiles of 64 × 64, so that every multiprocessor has
// some. Rows are copied four bytes at a time, from boundary to boundary, and columns are written so, too.
// architectures: 80-virtual 90-real
#include "ops/transpose/boundaries.cuh"
#include "ops/transpose/tiles.hpp"

namespace {
constexpr int kSide = 64, kThreads = 128;
using Tile = Tiles<kSide>;

template <class T>
struct Small {
    static constexpr int kUnits = kSide / kPerUnit<T>;     ///< of a row, and of a column
    static constexpr int kRows = kSide + kPerUnit<T> - 1;  ///< that are read: a column begins at a unit
    /// Bytes from a row to the next in shared memory, but for what their places differ by: lanes that read elements
    /// below one another meet in few banks.
    static constexpr int kPitch = (kUnits + 1) * kUnit<T>;
    static constexpr int kShared = kUnit<T> + kRows * (kPitch + kUnit<T>);
};

template <class T>
__global__ void __launch_bounds__(kThreads) small_tile(TransposeArgsOf<T> a) {
    using S = Small<T>;
    constexpr int kSize = static_cast<int>(sizeof(T)), kUnits = S::kUnits;
    __shared__ alignas(16) unsigned char shared[S::kShared];
    const auto corner = Tile::corner(a.cols);
    const int thread = static_cast<int>(threadIdx.x);
    const int rows = static_cast<int>(min(a.rows - corner.row, std::int64_t{S::kRows}));
    const int cols = static_cast<int>(min(a.cols - corner.col, std::int64_t{kSide}));
    const T* const in = a.in + corner.row * a.in_pitch + corner.col;
    const int past = past_boundary<kUnit<T>>(in);
    const int pitch = S::kPitch + static_cast<int>(a.in_pitch * kSize % kUnit<T>);
    const InputSpan span = span_of(a);
    const auto copy = [&](int row, int unit) {
        const auto* const line = reinterpret_cast<const unsigned char*>(in + row * a.in_pitch);
        const int place = unit * kUnit<T> - past_boundary<kUnit<T>>(line);
        if (row < rows && place < cols * kSize)
            copy_within<kUnit<T>>(span, shared + past + row * pitch + place, line + place);
    };
#pragma unroll
    for (int i = thread; i < S::kRows * kUnits; i += kThreads) copy(i / kUnits, i % kUnits);
    if (thread < S::kRows) copy(thread, kUnits);
    commit_copies();
    wait_copies<0>();
    __syncthreads();
#pragma unroll
    for (int i = thread; i < kSide * kUnits; i += kThreads) {
        const int col = i / kUnits, unit = i % kUnits;
        if (col >= cols) break;
        const auto element = [&](int row) {
            return *reinterpret_cast<const T*>(shared + past + row * pitch + col * kSize);
        };
        T* const out = a.out + (corner.col + col) * a.out_pitch + corner.row;
        const int ahead = ahead_of_boundary<kUnit<T>>(out), row = ahead + unit * kPerUnit<T>;
        if (row + kPerUnit<T> <= rows) {
            *reinterpret_cast<Unit<T>*>(out + row) = unit_of<T>([&](int k) { return element(row + k); });
        } else {
            for (int k = row; k < rows; ++k) out[k] = element(k);
        }
        if (corner.row == 0 && unit == 0)
            for (int k = 0; k < ahead && k < rows; ++k) out[k] = element(k);
    }
}

std::string_view refuse(const Problem& p) {
    const std::string_view why = refuse_before_ampere(p);
    return why.empty() ? Tile::refuse(p) : why;
}

template <class T>
void launch(const TransposeArgsOf<T>& a, cudaStream_t stream) {
    if (!a.empty()) small_tile<T><<<Tile::grid(a.rows, a.cols), kThreads, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(transpose, small_tile,
              {
                  .climbs_from = "realigned",
                  .lesson = "A small matrix in small tiles: every multiprocessor has some of it.",
                  .launch = {launch<std::uint8_t>, launch<std::uint16_t>},
                  .refuses = refuse,
              });
// mends: few_blocks
