// A thread's share of a sum, read sixteen bytes at a time with several reads on their way.
#pragma once

#include "ops/reduce/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Sixteen bytes that one instruction loads.
template <class T>
struct alignas(16) Pack {
    static constexpr int kValues = 16 / sizeof(T);
    T value[kValues];
};

/// Elements from `p` to the next 16-byte boundary.
template <class T>
__device__ std::int64_t to_boundary(const T* p) {
    return static_cast<std::int64_t>((0 - reinterpret_cast<std::uintptr_t>(p)) % 16 / sizeof(T));
}

template <class T>
__device__ void accumulate(Pack<T>& sums, const Pack<T>& pack) {
#pragma unroll
    for (int i = 0; i < Pack<T>::kValues; ++i) sums.value[i] = plus(sums.value[i], pack.value[i]);
}

/// Sum of the elements that this thread of the grid takes. A block reads a tile of blockDim.x × kInFlight packs, each
/// of its threads kInFlight of them before it uses the first, and goes on to the tile that lies a grid further. The
/// first few threads also take one of the loose elements at both ends.
template <int kInFlight, class T>
__device__ T vector_sum(const T* in, std::int64_t n) {
    using P = Pack<T>;
    const std::int64_t boundary = to_boundary(in), head = boundary < n ? boundary : n;
    const std::int64_t packs = (n - head) / P::kValues, tail = head + packs * P::kValues;
    const P* const body = reinterpret_cast<const P*>(in + head);
    const std::int64_t tile = std::int64_t{blockDim.x} * kInFlight, step = tile * gridDim.x;

    P sums{};
    std::int64_t first = blockIdx.x * tile;
    for (; first + tile <= packs; first += step) {
        P held[kInFlight];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) held[k] = body[first + k * blockDim.x + threadIdx.x];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) accumulate(sums, held[k]);
    }
    if (first < packs)  // the last tile, which is not whole
        for (std::int64_t i = first + threadIdx.x; i < packs; i += blockDim.x) {
            const P held = body[i];
            accumulate(sums, held);
        }
    const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (thread < head) sums.value[0] = plus(sums.value[0], in[thread]);
    if (thread < n - tail) sums.value[0] = plus(sums.value[0], in[tail + thread]);

    T sum{};
#pragma unroll
    for (int k = 0; k < P::kValues; ++k) sum = plus(sum, sums.value[k]);
    return sum;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
