// Sums of all elements before each: counts become places. Two launches: every block sums a part; every block sums the
// parts before its own, of which there are few, and then the elements of its part.
#pragma once

#include "src/particles/device/workspace.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kScanThreads = 256;
inline constexpr int kScanEach = kScanPart / kScanThreads;  // consecutive elements of one thread
inline constexpr int kScanWarp = 32;

/// The sum of `value` over the threads before this one; `total` is that of the block. `sums` holds one per warp.
__device__ inline std::int64_t sum_before(std::int64_t value, std::int64_t* sums, std::int64_t& total) {
    const unsigned lane = threadIdx.x % kScanWarp, warp = threadIdx.x / kScanWarp;
    long long running = value;
    for (unsigned step = 1; step < kScanWarp; step *= 2) {
        const long long other = __shfl_up_sync(~0U, running, step);
        if (lane >= step) running += other;
    }
    if (lane == kScanWarp - 1) sums[warp] = running;
    __syncthreads();
    std::int64_t before = running - value;
    total = 0;
    for (unsigned w = 0; w < kScanThreads / kScanWarp; ++w) {
        if (w < warp) before += sums[w];
        total += sums[w];
    }
    __syncthreads();
    return before;
}

/// counts[k] becomes the sum of the elements before it, and counts[length], which was none, the sum of all: `total`
/// as well, if it is wanted. partial[k] is the sum of the k-th kScanPart elements.
template <class Count>
__global__ void scan_parts(Count* counts, std::int64_t length, const std::int64_t* partial, std::uint64_t* total) {
    __shared__ std::int64_t sums[kScanThreads / kScanWarp];
    std::int64_t earlier = 0, before_block = 0, of_block = 0;
    for (std::int64_t part = threadIdx.x; part < blockIdx.x; part += kScanThreads) earlier += partial[part];
    sum_before(earlier, sums, before_block);

    const std::int64_t first = std::int64_t{blockIdx.x} * kScanPart + std::int64_t{threadIdx.x} * kScanEach;
    Count own[kScanEach];
    std::int64_t sum = 0;
#pragma unroll
    for (int k = 0; k < kScanEach; ++k) {
        own[k] = first + k < length ? counts[first + k] : Count{0};
        sum += own[k];
    }
    std::int64_t before = before_block + sum_before(sum, sums, of_block);
#pragma unroll
    for (int k = 0; k < kScanEach; ++k) {
        if (first + k <= length) counts[first + k] = static_cast<Count>(before);
        if (first + k == length && total) *total = static_cast<std::uint64_t>(before);
        before += own[k];
    }
}

template <class Count>
__global__ void sum_parts(const Count* counts, std::int64_t length, std::int64_t* partial) {
    __shared__ std::int64_t sums[kScanThreads / kScanWarp];
    const std::int64_t first = std::int64_t{blockIdx.x} * kScanPart;
    std::int64_t sum = 0, total = 0;
    for (int k = 0; k < kScanEach; ++k) {
        const std::int64_t at = first + k * kScanThreads + threadIdx.x;
        if (at < length) sum += counts[at];
    }
    sum_before(sum, sums, total);
    if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

/// The two launches; `partial` has room for the sums of the parts.
template <class Count>
void scan(Count* counts, std::int64_t length, std::int64_t* partial, cudaStream_t stream,
          std::uint64_t* total = nullptr) {
    const auto parts = static_cast<unsigned>(ceil_div(length + 1, std::int64_t{kScanPart}));
    sum_parts<<<parts, kScanThreads, 0, stream>>>(static_cast<const Count*>(counts), length, partial);
    scan_parts<<<parts, kScanThreads, 0, stream>>>(counts, length, static_cast<const std::int64_t*>(partial), total);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
