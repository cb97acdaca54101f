// Candidates sorted by descending score on the device, any number of them: tiles are sorted in shared memory, and then
// each key looks up in all other runs how many keys come before its own. No two keys are equal, so that is its place.
#pragma once

#include "ops/nms/candidates.hpp"
#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kTile = 1024;      // keys that a block sorts
constexpr int kTileThreads = 512;       // one for each pair of them
inline constexpr int kRunsMerged = 32;  // runs that one launch makes one of
inline constexpr int kMergeKeys = 32, kMergeSlices = 8;
constexpr unsigned kMostImagesInGrid = 32'768;
inline constexpr unsigned kBeginBlocks = 1024;
inline constexpr int kBeginThreads = 256;

/// The sorted candidates of every image, n places for each.
struct Sorted {
    std::uint64_t *keys, *spare;  ///< images × n: where runs are merged from and to, in turns
    Corners* boxes;               ///< images × n, by place: corners
    float* areas;
    std::int32_t* labels;
    std::int32_t* order;       ///< which box it is
    std::int32_t* candidates;  ///< images: how many there are

    Sorted(const NmsArgs& a, ScratchParts& memory)
        : keys(memory.take<std::uint64_t>(a.images * a.n)),
          spare(memory.take<std::uint64_t>(a.images * a.n)),
          boxes(memory.take<Corners>(a.images * a.n)),
          areas(memory.take<float>(a.images * a.n)),
          labels(memory.take<std::int32_t>(a.images * a.n)),
          order(memory.take<std::int32_t>(a.images * a.n)),
          candidates(memory.take<std::int32_t>(a.images)) {}

    __device__ BoxCandidate at(std::int64_t place) const { return {boxes[place], areas[place], labels[place]}; }
};

/// What a launch says of nothing kept, and words of scratch memory that begin at zero.
__global__ inline void begin_nms(NmsArgs a, std::int32_t* candidates, unsigned long long* words,
                                 std::int64_t word_count) {
    const std::int64_t first = std::int64_t{blockIdx.x} * kBeginThreads + threadIdx.x;
    const std::int64_t step = std::int64_t{gridDim.x} * kBeginThreads;
    for (std::int64_t i = first; i < word_count; i += step) words[i] = 0;
    for (std::int64_t i = first; i < a.images; i += step) candidates[i] = a.counts[i] = a.dropped[i] = 0;
    for (std::int64_t i = first; i < a.images * a.capacity; i += step) write_none(a, i);
}

/// The key at its final place.
__device__ inline void place_key(const NmsArgs& a, const Sorted& sorted, std::int64_t image, std::int64_t place,
                                 std::uint64_t key) {
    if (key == kNoCandidate) return;
    const std::int32_t index = index_of(key);
    const BoxCandidate candidate = candidate_of(a, image, index);
    const std::int64_t at = image * a.n + place;
    sorted.boxes[at] = candidate.box;
    sorted.areas[at] = candidate.area;
    sorted.labels[at] = candidate.label;
    sorted.order[at] = index;
}

/// Sorts a power of two of keys: a bitonic network, in which every step compares each key with one other.
__device__ inline void sort_shared(std::uint64_t* keys, unsigned length) {
    for (unsigned run = 2; run <= length; run *= 2)
        for (unsigned distance = run / 2; distance > 0; distance /= 2) {
            __syncthreads();
            for (unsigned pair = threadIdx.x; pair < length / 2; pair += kTileThreads) {
                const unsigned low = 2 * (pair - pair % distance) + pair % distance, high = low + distance;
                const std::uint64_t first = keys[low], second = keys[high];
                if ((first > second) == ((low & run) == 0)) {
                    keys[low] = second;
                    keys[high] = first;
                }
            }
        }
    __syncthreads();
}

/// One block for each tile of each image: keys are made, counted and sorted. A single tile needs nothing more.
__global__ inline void __launch_bounds__(kTileThreads) sort_tiles(NmsArgs a, Sorted sorted, bool last) {
    __shared__ std::uint64_t keys[kTile];
    const std::int64_t first = std::int64_t{blockIdx.x} * kTile;
    const auto present = static_cast<unsigned>(a.n - first < kTile ? a.n - first : kTile);
    unsigned length = 2;
    while (length < present) length *= 2;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        __syncthreads();
        int candidates = 0, dropped = 0;
        for (unsigned k = threadIdx.x; k < length; k += kTileThreads) {
            bool no_number = false;
            const std::uint64_t key = k < present ? key_of(a, image, first + k, no_number) : kNoCandidate;
            keys[k] = key;
            candidates += key != kNoCandidate ? 1 : 0;
            dropped += no_number ? 1 : 0;
        }
        if (candidates > 0) atomicAdd(&sorted.candidates[image], candidates);
        if (dropped > 0) atomicAdd(&a.dropped[image], dropped);
        sort_shared(keys, length);
        for (unsigned k = threadIdx.x; k < present; k += kTileThreads) {
            if (last)
                place_key(a, sorted, image, k, keys[k]);
            else
                sorted.keys[image * a.n + first + k] = keys[k];
        }
    }
}

/// How many of the ascending keys are below a key.
__device__ inline std::int64_t keys_below(const std::uint64_t* keys, std::int64_t length, std::uint64_t key) {
    std::int64_t low = 0;
    while (length > 0) {
        const std::int64_t half = length / 2;
        const bool below = keys[low + half] < key;
        low += below ? half + 1 : 0;
        length = below ? length - half - 1 : half;
    }
    return low;
}

/// Runs of `run` keys become runs of kRunsMerged times as many. A key belongs to kMergeSlices threads, which share the
/// runs among them.
__global__ inline void __launch_bounds__(kMergeKeys* kMergeSlices)
    merge_runs(NmsArgs a, Sorted sorted, const std::uint64_t* from, std::uint64_t* to, std::int64_t run, bool last) {
    __shared__ unsigned long long before[kMergeKeys];
    const std::int64_t own = std::int64_t{blockIdx.x} * kMergeKeys + threadIdx.x, group = run * kRunsMerged;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        const std::uint64_t* const keys = from + image * a.n;
        const std::uint64_t key = own < a.n ? keys[own] : kNoCandidate;
        const std::int64_t begin = own / group * group, own_run = (own - begin) / run;
        if (threadIdx.y == 0) before[threadIdx.x] = static_cast<unsigned long long>(own % run);
        __syncthreads();
        std::int64_t found = 0;
        if (key != kNoCandidate)
            for (int r = static_cast<int>(threadIdx.y); r < kRunsMerged; r += kMergeSlices) {
                const std::int64_t first = begin + r * run;
                if (r == own_run || first >= a.n) continue;
                found += keys_below(keys + first, a.n - first < run ? a.n - first : run, key);
            }
        if (found > 0) atomicAdd(&before[threadIdx.x], static_cast<unsigned long long>(found));
        __syncthreads();
        if (threadIdx.y == 0 && key != kNoCandidate) {
            const std::int64_t place = begin + static_cast<std::int64_t>(before[threadIdx.x]);
            if (last)
                place_key(a, sorted, image, place, key);
            else
                to[image * a.n + place] = key;
        }
        __syncthreads();
    }
}

/// Those that are no candidates lie behind the others, in every merged run of an image.
__global__ inline void fill_tails(NmsArgs a, std::uint64_t* keys) {
    const std::int64_t all = a.images * a.n, step = std::int64_t{gridDim.x} * kBeginThreads;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kBeginThreads + threadIdx.x; i < all; i += step)
        keys[i] = kNoCandidate;
}

inline unsigned begin_blocks(std::int64_t elements) {
    const std::int64_t blocks = ceil_div(elements, std::int64_t{kBeginThreads});
    return static_cast<unsigned>(blocks < 1 ? 1 : blocks < kBeginBlocks ? blocks : kBeginBlocks);
}

/// Clears the outputs and `word_count` words, and sorts: a number of launches that depends on n alone.
inline void sort_candidates(const NmsArgs& a, const Sorted& sorted, unsigned long long* words, std::int64_t word_count,
                            cudaStream_t stream) {
    const std::int64_t most = word_count > a.images * a.capacity ? word_count : a.images * a.capacity;
    begin_nms<<<begin_blocks(most), kBeginThreads, 0, stream>>>(a, sorted.candidates, words, word_count);
    if (a.n == 0) return;
    const auto images = static_cast<unsigned>(a.images < kMostImagesInGrid ? a.images : kMostImagesInGrid);
    const dim3 tiles(static_cast<unsigned>(ceil_div(a.n, std::int64_t{kTile})), images);
    sort_tiles<<<tiles, kTileThreads, 0, stream>>>(a, sorted, a.n <= kTile);
    const dim3 blocks(static_cast<unsigned>(ceil_div(a.n, std::int64_t{kMergeKeys})), images);
    std::uint64_t *from = sorted.keys, *to = sorted.spare;
    for (std::int64_t run = kTile; run < a.n; run *= kRunsMerged) {
        const bool last = run * kRunsMerged >= a.n;
        if (!last) fill_tails<<<begin_blocks(a.images * a.n), kBeginThreads, 0, stream>>>(a, to);
        merge_runs<<<blocks, dim3(kMergeKeys, kMergeSlices), 0, stream>>>(
            a, sorted, static_cast<const std::uint64_t*>(from), to, run, last);
        std::uint64_t* const merged = to;
        to = from;
        from = merged;
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
