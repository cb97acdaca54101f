// Sums of all elements before each, in one launch: counts become places. A block announces the sum of its part and adds
// up what earlier blocks have announced.
#pragma once

#include "src/gpu/memory_units.hpp"
#include "src/particles/device/workspace.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kScanThreads = 256;
constexpr int kWarp = int{kLanes};
inline constexpr int kScanWarps = kScanThreads / kWarp;
inline constexpr int kScanEach = kScanPart / kScanThreads;  // elements side by side

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

inline constexpr int kLooks = 4;  // of each lane at once

/// By one warp: announces the sum of a part, and returns the sum of all parts before it.
__device__ inline std::int64_t look_back(volatile unsigned long long* announced, std::int64_t part, std::int64_t sum,
                                         int lane) {
    const auto own = static_cast<unsigned long long>(sum);
    if (lane == 0) announced[part] = own | (part == 0 ? PartSum::kOfAll : PartSum::kOfPart);
    long long before = 0;  // as far as this lane has looked
    bool all = part == 0;
    for (std::int64_t last = part - 1 - lane; !all; last -= kLooks * kWarp) {
        unsigned long long words[kLooks];
#pragma unroll
        for (int look = 0; look < kLooks; ++look) {
            words[look] = PartSum::kOfAll;  // ahead of the first: nothing
            if (last >= look * kWarp) words[look] = announced[last - look * kWarp];
        }
#pragma unroll
        for (int look = 0; look < kLooks; ++look) {
            if (all) continue;
            while (words[look] == 0) words[look] = announced[last - look * kWarp];
            const int end = __ffs(static_cast<int>(__ballot_sync(~0U, (words[look] & PartSum::kOfAll) != 0))) - 1;
            all = end >= 0;
            if (!all || lane <= end) before += PartSum::value(words[look]);
        }
    }
    for (int step = kWarp / 2; step > 0; step /= 2) before += __shfl_xor_sync(~0U, before, step);
    if (lane == 0 && part > 0) announced[part] = (static_cast<unsigned long long>(before) + own) | PartSum::kOfAll;
    return before;
}

/// The elements are count(k) for k < used, below 2^62 in all; put(k, before, count) is told the sum before each,
/// put_end(used, sum) that of all, and put_most(largest) the largest of a part. Parts are summed: `words` has the sum
/// of each, kSumsApart words apart. Else it has a word for each, all zero at first, and whoever adds up a part waits
/// for those who have the parts before it.
template <bool kSummed, class Elements>
__device__ void scan_part(const Elements& elements, std::int64_t used, unsigned long long* words, std::int64_t part) {
    __shared__ std::int64_t sums[kScanWarps], sums_before[kScanWarps];
    __shared__ std::uint32_t mosts[kScanWarps];
    const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
    const std::int64_t first = part * kScanPart + std::int64_t{threadIdx.x} * kScanEach;
    unsigned long long own[kScanEach], sum = 0, sum_before = 0;
    std::uint32_t most = 0;
#pragma unroll
    for (int r = 0; r < kScanEach; ++r) own[r] = first + r < used ? elements.count(first + r) : 0;
    if constexpr (kSummed)
        for (std::int64_t k = threadIdx.x; k < part; k += kScanThreads) sum_before += words[k * kSumsApart];
#pragma unroll
    for (int r = 0; r < kScanEach; ++r) sum += own[r];
    unsigned long long until = sum;  // of this warp's threads, this one included
#pragma unroll
    for (int step = 1; step < kWarp; step *= 2) {
        const unsigned long long other = __shfl_up_sync(~0U, until, static_cast<unsigned>(step));
        if (lane >= step) until += other;
    }
    if constexpr (kSummed)
        for (int step = kWarp / 2; step > 0; step /= 2) sum_before += __shfl_xor_sync(~0U, sum_before, step);
    if constexpr (Elements::kMost) {
#pragma unroll
        for (int r = 0; r < kScanEach; ++r) most = max(most, static_cast<std::uint32_t>(own[r]));
        for (int step = kWarp / 2; step > 0; step /= 2) most = max(most, __shfl_xor_sync(~0U, most, step));
    }
    if (lane == kWarp - 1) {
        sums[warp] = static_cast<std::int64_t>(until);
        if constexpr (kSummed) sums_before[warp] = static_cast<std::int64_t>(sum_before);
        if constexpr (Elements::kMost) mosts[warp] = most;
    }
    __syncthreads();
    std::int64_t before = static_cast<std::int64_t>(until - sum);
    if constexpr (kSummed) {
        for (int w = 0; w < kScanWarps; ++w) before += sums_before[w];
    } else {
        if (warp == 0) {
            std::int64_t total = 0;
            for (int w = 0; w < kScanWarps; ++w) total += sums[w];
            const std::int64_t all_before = look_back(words, part, total, lane);
            if (lane == 0) sums_before[0] = all_before;
        }
        __syncthreads();
        before += sums_before[0];
    }
    for (int w = 0; w < warp; ++w) before += sums[w];
#pragma unroll
    for (int r = 0; r < kScanEach; ++r) {
        if (first + r < used) elements.put(first + r, before, static_cast<std::int64_t>(own[r]));
        if (first + r == used) elements.put_end(used, before);
        before += static_cast<std::int64_t>(own[r]);
    }
    if constexpr (Elements::kMost) {
        if (threadIdx.x != 0) return;
        for (int w = 1; w < kScanWarps; ++w) most = max(most, mosts[w]);
        elements.put_most(most);
    }
}

/// A scan of its own. `board` is a ticket counter and a word for each part, all zero before the kernel before this one
/// begins, and elements.used() ≤ elements.length is known by then. A block's part is the ticket that it draws when it
/// begins: it waits only for blocks that have begun.
template <class Elements>
__global__ void __launch_bounds__(kScanThreads) scan_elements(Elements elements, unsigned long long* board) {
    __shared__ std::int64_t drawn;
    if (is_unwanted(elements.wanted)) return pass_on();
    if (threadIdx.x == 0) drawn = static_cast<std::int64_t>(atomicAdd(board, 1ULL));
    const std::int64_t used = elements.used();
    wait_for_previous();
    let_next_begin();
    __syncthreads();
    if (drawn * kScanPart <= used) scan_part<false>(elements, used, board + 1, drawn);
}

/// The same where the kernel before this one has summed the parts: no block waits for another.
template <class Elements>
__global__ void __launch_bounds__(kScanThreads) scan_summed(Elements elements, unsigned long long* sums) {
    if (is_unwanted(elements.wanted)) return pass_on();
    wait_for_previous();
    let_next_begin();
    scan_part<true>(elements, elements.length, sums, blockIdx.x);
}

/// counts[k] becomes the sum of the elements before it, and counts[length], which was none, the sum of all: `total` as
/// well, if it is wanted.
template <class Count>
struct Places {
    static constexpr bool kMost = false;

    Count* counts;
    std::int64_t length;
    std::uint64_t* total = nullptr;
    const std::int32_t* wanted = nullptr;

    __device__ std::int64_t used() const { return length; }
    __device__ std::int64_t count(std::int64_t k) const { return counts[k]; }
    __device__ void put(std::int64_t k, std::int64_t before, std::int64_t) const {
        counts[k] = static_cast<Count>(before);
    }
    __device__ void put_end(std::int64_t k, std::int64_t sum) const {
        counts[k] = static_cast<Count>(sum);
        if (total) *total = static_cast<std::uint64_t>(sum);
    }
};

/// The same of the lengths of lists, below 2^32: `most`, which was zero, becomes the largest.
struct ListPlaces : Places<std::int64_t> {
    static constexpr bool kMost = true;

    std::uint64_t* most;

    __device__ void put_most(std::uint32_t largest) const {
        atomicMax(reinterpret_cast<unsigned long long*>(most), static_cast<unsigned long long>(largest));
    }
};

template <class Elements>
unsigned scan_blocks(const Elements& elements) {
    return static_cast<unsigned>(scan_words(elements.length) - 1);
}

/// `board` has scan_words(elements.length) words, all zero.
template <class Elements>
void scan(const Elements& elements, unsigned long long* board, cudaStream_t stream) {
    scan_elements<<<scan_blocks(elements), kScanThreads, 0, stream>>>(elements, board);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
