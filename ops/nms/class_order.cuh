// Candidates in the order of their classes, and of their scores within each: a class is one run of memory. Where each
// stands among all scores is found on the way, for that is the order in which what is kept is written.
#pragma once

#include <utility>

#include "ops/nms/sorting.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Classes share groups where there are more of them, or where keys have no room for more groups beside their index.
struct ClassGroups {
    int bits;  ///< 2^bits groups

    explicit ClassGroups(const NmsArgs& a) : bits(a.classes ? most_bits(a) : 0) {}
    constexpr std::int64_t count() const { return std::int64_t{1} << bits; }
    /// With classes or without: scratch memory is asked for before it is known whether there are some.
    static constexpr std::int64_t most(const NmsArgs& a) { return std::int64_t{1} << most_bits(a); }
    /// Of a candidate's key: its group above, and below the same score and index.
    constexpr std::uint64_t key(std::uint64_t score_key, std::int32_t label) const {
        if (bits == 0 || score_key == kNoCandidate) return score_key;
        const auto group = static_cast<std::uint64_t>(static_cast<std::uint32_t>(label)) & ((1U << bits) - 1);
        return group << (64 - bits) | score_key >> 32 << (32 - bits) | static_cast<std::uint32_t>(score_key);
    }
    constexpr std::uint64_t score_key(std::uint64_t key) const {
        if (bits == 0 || key == kNoCandidate) return key;
        const std::uint64_t index = key & ((std::uint64_t{1} << (32 - bits)) - 1);
        return key << bits >> 32 << 32 | index;
    }
    /// No key of an earlier group is as large.
    constexpr std::uint64_t first_key(std::int64_t group) const {
        return group == count() ? kNoCandidate : bits == 0 ? 0 : static_cast<std::uint64_t>(group) << (64 - bits);
    }

private:
    static constexpr int most_bits(const NmsArgs& a) {
        int most = 8;
        while (most > 0 && (a.n >> (32 - most) != 0 || a.n >> most == 0)) --most;
        return most;
    }
};

struct OrderedByClass {
    Sorted by_score;              ///< but boxes, areas and labels, which are in the order of classes
    std::uint64_t *keys, *spare;  ///< images × n: by class
    std::int32_t* indices;        ///< images × n, by place in the order of classes: which box it is
    std::int32_t* ranks;          ///< images × n, by box: its place in the order of scores
    std::int32_t* starts;         ///< images × (groups + 1): the first place of each group
    ClassGroups groups;

    OrderedByClass(const NmsArgs& a, ScratchParts& memory) : by_score(a, memory), groups(a) {
        keys = memory.take<std::uint64_t>(a.images * a.n);
        spare = memory.take<std::uint64_t>(a.images * a.n);
        indices = memory.take<std::int32_t>(a.images * a.n);
        ranks = memory.take<std::int32_t>(a.images * a.n);
        starts = memory.take<std::int32_t>(a.images * (ClassGroups::most(a) + 1));
    }
    __device__ BoxCandidate at(std::int64_t place) const { return by_score.at(place); }
    __device__ const std::int32_t* starts_of(std::int64_t image) const { return starts + image * (groups.count() + 1); }
};

/// Sorts a tile's keys, one of each thread: a bitonic network of `length` of them, a power of two. Keys of one warp
/// meet in registers, those farther apart in shared memory.
__device__ inline std::uint64_t sort_tile(std::uint64_t own, std::uint64_t (&shared)[kTile], unsigned length) {
    constexpr unsigned kOfAWarp = 32;
    const unsigned thread = threadIdx.x;
    for (unsigned run = 2; run <= length; run *= 2)
        for (unsigned apart = run / 2; apart > 0; apart /= 2) {
            std::uint64_t other;
            if (apart >= kOfAWarp) {
                __syncthreads();
                shared[thread] = own;
                __syncthreads();
                other = shared[thread ^ apart];
            } else {
                other = __shfl_xor_sync(~0U, own, static_cast<int>(apart));
            }
            const bool smaller = ((thread & apart) == 0) == ((thread & run & (length - 1)) == 0);
            if ((other < own) == smaller) own = other;
        }
    return own;
}

/// One block for each tile of each image and each order: keys are made, counted and sorted.
__global__ inline void __launch_bounds__(kTile) sort_tiles_both(NmsArgs a, OrderedByClass sorted) {
    __shared__ std::uint64_t shared[kTile];
    const std::int64_t first = std::int64_t{blockIdx.x} * kTile, at = first + threadIdx.x;
    const bool by_class = blockIdx.z != 0;
    unsigned length = 2;
    while (length < kTile && length < a.n - first) length *= 2;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        bool dropped = false;
        std::uint64_t key = at < a.n ? key_of(a, image, at, dropped) : kNoCandidate;
        if (by_class && key != kNoCandidate && a.classes) key = sorted.groups.key(key, a.classes[image * a.n + at]);
        const int candidates = __syncthreads_count(key != kNoCandidate), drops = __syncthreads_count(dropped);
        if (!by_class && threadIdx.x == 0) {
            if (candidates > 0) atomicAdd(&sorted.by_score.candidates[image], candidates);
            if (drops > 0) atomicAdd(&a.dropped[image], drops);
        }
        key = sort_tile(key, shared, length);
        if (at < a.n) (by_class ? sorted.keys : sorted.by_score.keys)[image * a.n + at] = key;
    }
}

/// How many keys of two runs, which ascend, are below a key: the look-ups in one do not wait for those in the other.
/// `run`, a power of two, is what most runs have; the last may have fewer.
__device__ inline unsigned keys_of_runs_below(const std::uint64_t* one, unsigned one_length, const std::uint64_t* other,
                                              unsigned other_length, unsigned run, std::uint64_t key) {
    unsigned one_below = 0, other_below = 0;
    for (unsigned step = run; step > 0; step /= 2) {
        const unsigned in_one = one_below + step, in_other = other_below + step;
        const bool goes_on = in_one <= one_length && one[in_one - 1] < key;
        const bool other_goes_on = in_other <= other_length && other[in_other - 1] < key;
        one_below = goes_on ? in_one : one_below;
        other_below = other_goes_on ? in_other : other_below;
    }
    return one_below + other_below;
}

inline constexpr int kPlacedKeys = 32, kPlacingSlices = 4;

/// The last runs become one order of each kind: a key's place are the keys below it in all runs, which the threads of a
/// column share among them. One half of the blocks has the scores' order, the other the classes', and behind those look
/// up where the groups begin. Keys of a warp are neighbours, so that it reads neighbours wherever it looks.
__global__ inline void __launch_bounds__(kPlacedKeys* kPlacingSlices)
    place_candidates(NmsArgs a, OrderedByClass sorted, const std::uint64_t* scores, const std::uint64_t* classes,
                     std::int64_t run) {
    __shared__ unsigned places[kPlacedKeys];
    const std::int64_t own = std::int64_t{blockIdx.x} * kPlacedKeys + threadIdx.x, groups = sorted.groups.count();
    const bool by_class = blockIdx.z != 0;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        const std::uint64_t* const keys = (by_class ? classes : scores) + image * a.n;
        const bool begins_group = by_class && own >= a.n && own <= a.n + groups;
        const std::uint64_t key = own < a.n      ? keys[own]
                                  : begins_group ? sorted.groups.first_key(own - a.n)
                                                 : kNoCandidate;
        if (threadIdx.y == 0) places[threadIdx.x] = 0;
        __syncthreads();
        unsigned found = 0;
        if (begins_group || key != kNoCandidate)
            for (std::int64_t begin = std::int64_t{threadIdx.y} * run; begin < a.n; begin += 2 * kPlacingSlices * run) {
                const std::int64_t other = begin + kPlacingSlices * run;
                const auto length = [&](std::int64_t from) {
                    return static_cast<unsigned>(from >= a.n ? 0 : a.n - from < run ? a.n - from : run);
                };
                found += keys_of_runs_below(keys + begin, length(begin), keys + other, length(other),
                                            static_cast<unsigned>(run), key);
            }
        if (found > 0) atomicAdd(&places[threadIdx.x], found);
        __syncthreads();
        const auto place = static_cast<std::int32_t>(places[threadIdx.x]);
        if (threadIdx.y == 0 && begins_group) {
            sorted.starts[image * (groups + 1) + own - a.n] = place;
        } else if (threadIdx.y == 0 && key != kNoCandidate) {
            const std::int32_t index = index_of(by_class ? sorted.groups.score_key(key) : key);
            if (by_class) {
                const BoxCandidate candidate = candidate_of(a, image, index);
                sorted.by_score.boxes[image * a.n + place] = candidate.box;
                sorted.by_score.areas[image * a.n + place] = candidate.area;
                sorted.by_score.labels[image * a.n + place] = candidate.label;
                sorted.indices[image * a.n + place] = index;
            } else {
                sorted.by_score.order[image * a.n + place] = index;
                sorted.ranks[image * a.n + index] = place;
            }
        }
        __syncthreads();
    }
}

/// Runs of `run` keys become runs of kRunsMerged times as many, and `keys` and `spare` change places.
inline void merge_order(const NmsArgs& a, const Sorted& sorted, std::uint64_t*& keys, std::uint64_t*& spare,
                        std::int64_t run, const dim3& blocks, cudaStream_t stream) {
    fill_tails<<<begin_blocks(a.images * a.n), kBeginThreads, 0, stream>>>(a, spare);
    merge_runs<<<blocks, dim3(kMergeKeys, kMergeSlices), 0, stream>>>(
        a, sorted, static_cast<const std::uint64_t*>(keys), spare, run, false);
    std::swap(keys, spare);
}

/// Clears the outputs and `word_count` words, and sorts: a number of launches that depends on n alone.
inline void sort_by_class(const NmsArgs& a, const OrderedByClass& sorted, unsigned long long* words,
                          std::int64_t word_count, cudaStream_t stream) {
    const std::int64_t most = word_count > a.images * a.capacity ? word_count : a.images * a.capacity;
    begin_nms<<<begin_blocks(most), kBeginThreads, 0, stream>>>(a, sorted.by_score.candidates, words, word_count);
    if (a.n == 0) return;
    const auto images = static_cast<unsigned>(a.images < kMostImagesInGrid ? a.images : kMostImagesInGrid);
    const dim3 tiles(static_cast<unsigned>(ceil_div(a.n, std::int64_t{kTile})), images, 2);
    sort_tiles_both<<<tiles, kTile, 0, stream>>>(a, sorted);
    std::uint64_t *scores = sorted.by_score.keys, *spare_scores = sorted.by_score.spare;
    std::uint64_t *classes = sorted.keys, *spare_classes = sorted.spare;
    const dim3 merged(static_cast<unsigned>(ceil_div(a.n, std::int64_t{kMergeKeys})), images);
    std::int64_t run = kTile;
    for (; run * kRunsMerged < a.n; run *= kRunsMerged) {
        merge_order(a, sorted.by_score, scores, spare_scores, run, merged, stream);
        merge_order(a, sorted.by_score, classes, spare_classes, run, merged, stream);
    }
    const std::int64_t placed = ceil_div(a.n + sorted.groups.count() + 1, std::int64_t{kPlacedKeys});
    const dim3 placing(static_cast<unsigned>(placed), images, 2);
    place_candidates<<<placing, dim3(kPlacedKeys, kPlacingSlices), 0, stream>>>(a, sorted, scores, classes, run);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
