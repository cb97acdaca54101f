// Sums of all elements before each, in one launch: counts become places. A block announces the sum of its part and adds
// up what earlier blocks have announced.
#pragma once

#include "src/particles/device/workspace.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kScanThreads = 256;
inline constexpr int kWarp = 32;
inline constexpr int kScanWarps = kScanThreads / kWarp;
inline constexpr int kScanRows = kScanPart / kScanThreads;  // of a warp: 32 elements that lie side by side

/// The lanes before this one.
__device__ inline unsigned lanes_before(int lane) { return (1U << lane) - 1; }

/// What a block announces, in words that say everything by themselves, so that no order among writes is needed: the sum
/// of its part, or of everything up to the part's end. Zero: nothing yet.
struct PartSum {
    static constexpr unsigned long long kOfPart = 1ULL << 62, kOfAll = 1ULL << 63;

    static __device__ std::int64_t value(unsigned long long word) {
        return static_cast<std::int64_t>(word & (kOfPart - 1));
    }
};

/// By one warp: announces the sum of a part, and returns the sum of all parts before it.
__device__ inline std::int64_t look_back(volatile unsigned long long* announced, std::int64_t part, std::int64_t sum,
                                         int lane) {
    const auto own = static_cast<unsigned long long>(sum);
    if (lane == 0) announced[part] = own | (part == 0 ? PartSum::kOfAll : PartSum::kOfPart);
    long long before = 0;
    bool all = part == 0;
    for (std::int64_t last = part - 1; !all; last -= kWarp) {
        unsigned long long word = PartSum::kOfAll;  // ahead of the first: nothing
        if (last >= lane) {
            do word = announced[last - lane];
            while (word == 0);
        }
        const int end = __ffs(static_cast<int>(__ballot_sync(~0U, (word & PartSum::kOfAll) != 0))) - 1;
        all = end >= 0;
        long long value = !all || lane <= end ? PartSum::value(word) : 0;
        for (int step = kWarp / 2; step > 0; step /= 2) value += __shfl_xor_sync(~0U, value, step);
        before += value;
    }
    if (lane == 0 && part > 0) announced[part] = (static_cast<unsigned long long>(before) + own) | PartSum::kOfAll;
    return before;
}

/// The elements are count(k) for k < length, below 2^62 in all; put(k, before, count) is told the sum before each, and
/// put(length, sum, 0) that of all. `board` is a ticket counter and a word for each part, all zero. A block's part is
/// the ticket that it draws when it begins: it waits only for blocks that have begun.
template <class Elements>
__global__ void __launch_bounds__(kScanThreads) scan_elements(Elements elements, unsigned long long* board) {
    __shared__ std::int64_t sums[kScanWarps], before_part, drawn;
    const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
    if (threadIdx.x == 0) drawn = static_cast<std::int64_t>(atomicAdd(board, 1ULL));
    __syncthreads();
    const std::int64_t part = drawn, first = part * kScanPart + warp * (kScanRows * kWarp) + lane;
    long long own[kScanRows], until[kScanRows];
#pragma unroll
    for (int r = 0; r < kScanRows; ++r)
        until[r] = own[r] = first + r * kWarp < elements.length ? elements.count(first + r * kWarp) : 0;
#pragma unroll
    for (int step = 1; step < kWarp; step *= 2)
#pragma unroll
        for (int r = 0; r < kScanRows; ++r) {
            const long long other = __shfl_up_sync(~0U, until[r], static_cast<unsigned>(step));
            if (lane >= step) until[r] += other;
        }
    long long sum = 0;  // of the warp's rows
#pragma unroll
    for (int r = 0; r < kScanRows; ++r) {
        const long long row = __shfl_sync(~0U, until[r], kWarp - 1);
        until[r] += sum;
        sum += row;
    }
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        long long total = 0;
        for (int w = 0; w < kScanWarps; ++w) total += sums[w];
        const std::int64_t before = look_back(board + 1, part, total, lane);
        if (lane == 0) before_part = before;
    }
    __syncthreads();
    std::int64_t before = before_part;
    for (int w = 0; w < warp; ++w) before += sums[w];
#pragma unroll
    for (int r = 0; r < kScanRows; ++r)
        if (first + r * kWarp <= elements.length) elements.put(first + r * kWarp, before + until[r] - own[r], own[r]);
}

/// counts[k] becomes the sum of the elements before it, and counts[length], which was none, the sum of all: `total` as
/// well, if it is wanted.
template <class Count>
struct Places {
    Count* counts;
    std::int64_t length;
    std::uint64_t* total = nullptr;

    __device__ std::int64_t count(std::int64_t k) const { return counts[k]; }
    __device__ void put(std::int64_t k, std::int64_t before, std::int64_t) const {
        counts[k] = static_cast<Count>(before);
        if (k == length && total) *total = static_cast<std::uint64_t>(before);
    }
};

/// `board` has scan_words(elements.length) words, all zero.
template <class Elements>
void scan(const Elements& elements, unsigned long long* board, cudaStream_t stream) {
    scan_elements<<<static_cast<unsigned>(scan_words(elements.length) - 1), kScanThreads, 0, stream>>>(elements, board);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
