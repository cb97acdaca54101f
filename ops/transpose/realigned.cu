// Rows that begin anywhere, still 16 bytes per access: what is read at boundaries is shifted into place in registers,
// and what is written at boundaries is shifted as it comes from shared memory. Only a run's ends are written singly.
#include "ops/transpose/shifted_quads.cuh"

namespace {
template <class T>
__device__ void load(SquareTile<T>& tile, const TransposeArgsOf<T>& a,
                     const typename Squares<T>::Tile::Corner& corner) {
    constexpr int kSide = Squares<T>::kSide;
    const auto [down, across] = Squares<T>::read_by(static_cast<int>(threadIdx.x));
    const std::int64_t row = corner.row + down * kSide, col = corner.col + across * kSide;
    const InputSpan span = span_of(a);
    const T* from = a.in + row * a.in_pitch + col;
    uint4 r[kSide];
#pragma unroll
    for (int k = 0; k < kSide; ++k, from += a.in_pitch)
        r[k] = row + k < a.rows && col < a.cols ? read_shifted(reinterpret_cast<const unsigned char*>(from), span)
                                                : make_uint4(0, 0, 0, 0);
#pragma unroll
    for (int k = 0; k < kSide; ++k) tile.quad(down, across, k) = column<T>(r, k);
}

/// A column's run in a row of the output: single elements up to a boundary, whole quads, single elements.
template <class T>
struct Run {
    T* to;
    unsigned ahead;   ///< bytes before the first boundary
    int head, quads;  ///< elements before it, quads after it
    int tail;         ///< where the elements behind these begin

    __device__ Run(T* begin, int count) : to(begin) {
        const auto size = static_cast<int>(sizeof(T));
        ahead = static_cast<unsigned>(-reinterpret_cast<std::uintptr_t>(begin) % kQuad);
        head = min(static_cast<int>(ahead) / size, count);
        quads = (count - head) * size / kQuad;
        tail = head + quads * Squares<T>::kSide;
    }
};

template <class T>
__device__ void store(SquareTile<T>& tile, const TransposeArgsOf<T>& a,
                      const typename Squares<T>::Tile::Corner& corner) {
    using S = Squares<T>;
    constexpr int kSide = S::kSide;
    static_assert(kSide <= S::kDown, "a run's ends have a thread for each element");
    const auto [down, across] = S::written_by(static_cast<int>(threadIdx.x));
    const auto count = static_cast<int>(min(std::int64_t{S::kRows}, a.rows - corner.row));
    const std::int64_t col = corner.col + across * kSide;
    const int k_end = static_cast<int>(min(std::int64_t{kSide}, a.cols - col));
    T* to = a.out + col * a.out_pitch + corner.row;
    for (int k = 0; k < k_end; ++k, to += a.out_pitch) {
        const Run<T> run(to, count);
        if (down < run.quads) {
            const uint4 low = tile.quad(down, across, k);
            const uint4 high = run.ahead == 0 ? low : tile.quad(down + 1, across, k);
            reinterpret_cast<uint4*>(run.to + run.head)[down] = shifted(low, high, run.ahead);
        }
        if (down < run.head) run.to[down] = tile.element(down, across, k);
        if (run.tail + down < count) run.to[run.tail + down] = tile.element(run.tail + down, across, k);
    }
}

template <class T>
__global__ void __launch_bounds__(Squares<T>::kThreads) realigned(TransposeArgsOf<T> a) {
    SquareTile<T>& tile = block_tile<T>();
    const auto corner = Squares<T>::Tile::corner(a.cols);
    load(tile, a, corner);
    __syncthreads();
    store(tile, a, corner);
}

template <class T>
void launch(const TransposeArgsOf<T>& a, cudaStream_t stream) {
    if (!a.empty()) launch_squares<T>(realigned, a, stream);
}
}  // namespace

LANEWORK_RUNG(transpose, realigned,
              {
                  .climbs_from = "vectorized",
                  .lesson = "Bytes that begin anywhere move 16 at a time: read at boundaries, and shift in registers.",
                  .launch = {launch<std::uint8_t>, launch<std::uint16_t>},
                  .refuses = refuse_squares,
              });
