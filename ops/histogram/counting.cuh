// What the kernels share: bytes read in packs of sixteen, and the counts of a block added to the result.
#pragma once

#include "ops/histogram/operation.hpp"
#include "src/cuda/allow_shared.hpp"
#include "src/cuda/resident_blocks.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xFFFFFFFFU;
inline constexpr int kPackBytes = 16;

/// The counts as atomicAdd knows their type.
inline unsigned long long* atomic_counts(const HistogramArgs& a) {
    return reinterpret_cast<unsigned long long*>(a.counts);
}

/// What is added to must start at zero, at every launch.
inline void clear_counts(const HistogramArgs& a, cudaStream_t stream) {
    LANEWORK_CHECK(cudaMemsetAsync(a.counts, 0, kBins * sizeof(*a.counts), stream));
}

/// Blocks for n bytes at `per_block` each, and no more than stay on the current device at `each` on a multiprocessor.
inline unsigned staying_blocks(std::int64_t n, std::int64_t per_block, int each) {
    const std::int64_t needed = ceil_div(n, per_block), most = resident_blocks(each);
    return static_cast<unsigned>(needed < most ? needed : most);
}

/// An array of bytes: those up to the first 16-byte boundary, packs of sixteen, those after the last pack.
struct Packed {
    const uint4* body;
    std::int64_t head, packs, tail;  ///< loose bytes before, packs, the first byte after them
};

__device__ inline Packed in_packs(const std::uint8_t* in, std::int64_t n) {
    const auto to_boundary = static_cast<std::int64_t>((0 - reinterpret_cast<std::uintptr_t>(in)) % kPackBytes);
    const std::int64_t head = to_boundary < n ? to_boundary : n, packs = (n - head) / kPackBytes;
    return {reinterpret_cast<const uint4*>(in + head), head, packs, head + packs * kPackBytes};
}

/// Packs that this thread has on their way: a block's threads take neighbours.
template <int kInFlight>
__device__ void load_packs(const uint4* tile, uint4 (&held)[kInFlight]) {
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) held[k] = tile[k * blockDim.x + threadIdx.x];
}

/// Calls visit(byte) for at most one loose byte at either end.
template <class Visit>
__device__ void visit_loose(const Packed& bytes, const std::uint8_t* in, std::int64_t n, const Visit& visit) {
    const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (thread < bytes.head) visit(in[thread]);
    if (thread < n - bytes.tail) visit(in[bytes.tail + thread]);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
