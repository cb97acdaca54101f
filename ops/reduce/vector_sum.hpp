// A thread's share of a sum, read sixteen bytes at a time with several reads on their way.
#pragma once

#include "ops/reduce/running_sum.hpp"

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
    for (int i = 0; i < Pack<T>::kValues; ++i) sums.value[i] = plus(sums.value[i], pack.value[i]);
}

/// A sum of packs, value by value: plain where few are added, compensated where a thread may add any number.
template <class T>
struct PlainSums {
    Pack<T> sums{};

    __device__ void add(const Pack<T>& pack) { accumulate(sums, pack); }
    __device__ void add_first(T value) { sums.value[0] = plus(sums.value[0], value); }
    __device__ T value(int k) const { return sums.value[k]; }
};
template <class T>
struct RunningSums {
    RunningSum<T> sums[Pack<T>::kValues];

    __device__ void add(const Pack<T>& pack) {
        for (int k = 0; k < Pack<T>::kValues; ++k) sums[k].add(pack.value[k]);
    }
    __device__ void add_first(T value) { sums[0].add(value); }
    __device__ T value(int k) const { return sums[k].value(); }
};

/// Sum of the elements that this thread of the grid takes. A block reads a tile of blockDim.x × kInFlight packs, each
/// of its threads kInFlight of them before it uses the first, and goes on to the tile that lies a grid further. The
/// first few threads also take one of the loose elements at both ends.
template <template <class> class Sums, int kInFlight, class T>
__device__ T sum_of_tiles(const T* in, std::int64_t n) {
    using P = Pack<T>;
    const std::int64_t boundary = to_boundary(in), head = boundary < n ? boundary : n;
    const std::int64_t packs = (n - head) / P::kValues, tail = head + packs * P::kValues;
    const P* const body = reinterpret_cast<const P*>(in + head);
    const std::int64_t tile = std::int64_t{blockDim.x} * kInFlight, step = tile * gridDim.x;

    Sums<T> sums;
    std::int64_t first = blockIdx.x * tile;
    for (; first + tile <= packs; first += step) {
        P held[kInFlight];
        for (int k = 0; k < kInFlight; ++k) held[k] = body[first + k * blockDim.x + threadIdx.x];
        for (int k = 0; k < kInFlight; ++k) sums.add(held[k]);
    }
    if (first < packs)  // the last tile, which is not whole
        for (std::int64_t i = first + threadIdx.x; i < packs; i += blockDim.x) {
            const P held = body[i];
            sums.add(held);
        }
    const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (thread < head) sums.add_first(in[thread]);
    if (thread < n - tail) sums.add_first(in[tail + thread]);

    T sum{};
    for (int k = 0; k < P::kValues; ++k) sum = plus(sum, sums.value(k));
    return sum;
}

/// Of a grid of any size.
template <int kInFlight, class T>
__device__ T vector_sum(const T* in, std::int64_t n) {
    return sum_of_tiles<RunningSums, kInFlight>(in, n);
}

/// Of a grid with a block for each tile: kInFlight additions are the most.
template <int kInFlight, class T>
__device__ T tile_sum(const T* in, std::int64_t n) {
    return sum_of_tiles<PlainSums, kInFlight>(in, n);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
