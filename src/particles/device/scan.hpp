// Sums of all elements before each: counts become places. Three launches: every block sums a part, one block sums the
// sums, every block adds them to the places within its part.
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

/// One block: partial[k] becomes the sum of those before it.
[[maybe_unused]] static __global__ void scan_sums(std::int64_t* partial, std::int64_t parts) {
    __shared__ std::int64_t sums[kScanThreads / kScanWarp];
    std::int64_t carried = 0;
    for (std::int64_t first = 0; first < parts; first += kScanThreads) {
        const std::int64_t at = first + threadIdx.x;
        std::int64_t total = 0;
        const std::int64_t before = sum_before(at < parts ? partial[at] : 0, sums, total);
        if (at < parts) partial[at] = carried + before;
        carried += total;
    }
}

template <class Count>
__global__ void scan_parts(Count* counts, std::int64_t length, const std::int64_t* partial) {
    __shared__ std::int64_t sums[kScanThreads / kScanWarp];
    const std::int64_t first = std::int64_t{blockIdx.x} * kScanPart + std::int64_t{threadIdx.x} * kScanEach;
    Count own[kScanEach];
    std::int64_t sum = 0, total = 0;
#pragma unroll
    for (int k = 0; k < kScanEach; ++k) {
        own[k] = first + k < length ? counts[first + k] : Count{0};
        sum += own[k];
    }
    std::int64_t before = partial[blockIdx.x] + sum_before(sum, sums, total);
#pragma unroll
    for (int k = 0; k < kScanEach; ++k) {
        if (first + k < length) counts[first + k] = static_cast<Count>(before);
        before += own[k];
    }
}

/// counts[k] becomes the sum of the elements before it, for `length` elements; the last one's own count is not used, so
/// that it becomes the sum of all when it is 0.
template <class Count>
void scan(Count* counts, std::int64_t length, std::int64_t* partial, cudaStream_t stream) {
    const auto parts = static_cast<unsigned>(ceil_div(length, std::int64_t{kScanPart}));
    sum_parts<<<parts, kScanThreads, 0, stream>>>(static_cast<const Count*>(counts), length, partial);
    scan_sums<<<1, kScanThreads, 0, stream>>>(partial, std::int64_t{parts});
    scan_parts<<<parts, kScanThreads, 0, stream>>>(counts, length, static_cast<const std::int64_t*>(partial));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
