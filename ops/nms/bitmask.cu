// Every pair is tested at once, by all of the device, before anything is known; one bit for each pair is kept. What is
// left for one block to do in order is to combine rows of bits. The table of bits grows with the square of the boxes.
#include "ops/nms/sorting.cuh"

namespace {
constexpr int kSide = 64;  // candidates of a word
constexpr int kThreads = 1024;
constexpr unsigned kMostRowsInGrid = 65'535;

struct Masks {
    unsigned long long*
        rows;  ///< images × candidates × words: bit j of word w: 64·w + j is suppressed, if this is kept
    unsigned long long* removed;  ///< images × words
    std::int64_t candidates, words;

    Masks(const NmsArgs& a, ScratchParts& memory)
        : candidates(a.most_candidates()), words(ceil_div(candidates, std::int64_t{kSide})) {
        rows = memory.take<unsigned long long>(a.images * candidates * words);
        removed = memory.take<unsigned long long>(a.images * words);
    }
};

__device__ std::int64_t candidates_of(const NmsArgs& a, const Sorted& sorted, std::int64_t image) {
    const std::int64_t all = sorted.candidates[image];
    return a.top > 0 && all > a.top ? a.top : all;
}

/// A block tests 64 candidates with 64 later ones, which lie in shared memory.
__global__ void __launch_bounds__(kSide) test_pairs(NmsArgs a, Sorted sorted, Masks masks, std::int64_t image) {
    __shared__ BoxCandidate later[kSide];
    const std::int64_t candidates = candidates_of(a, sorted, image), word = blockIdx.x;
    const auto lane = static_cast<int>(threadIdx.x);
    for (std::int64_t row_block = blockIdx.y; row_block <= word; row_block += gridDim.y) {
        const std::int64_t row = row_block * kSide + lane, first = word * kSide;
        __syncthreads();
        if (first + lane < candidates) later[lane] = sorted.at(image * a.n + first + lane);
        __syncthreads();
        if (row >= candidates) continue;
        const BoxCandidate own = sorted.at(image * a.n + row);
        const auto present = static_cast<int>(candidates - first < kSide ? candidates - first : kSide);
        unsigned long long bits = 0;
        for (int k = row_block == word ? lane + 1 : 0; k < present; ++k)
            if (suppresses(own, later[k], a.iou_threshold)) bits |= 1ULL << k;
        masks.rows[(image * masks.candidates + row) * masks.words + word] = bits;
    }
}

/// Which of 64 candidates are kept, where some are removed already: one after the other.
__device__ unsigned long long decide(const unsigned long long* row, std::int64_t words, int present,
                                     unsigned long long removed) {
    unsigned long long kept = 0;
    for (int k = 0; k < present; ++k) {
        if ((removed >> k & 1) != 0) continue;
        kept |= 1ULL << k;
        removed |= row[k * words];
    }
    return kept;
}

/// One block for each image: in order, 64 candidates at a time, the rows of those that are kept are combined.
__global__ void __launch_bounds__(kThreads) combine_rows(NmsArgs a, Sorted sorted, Masks masks) {
    __shared__ unsigned long long kept_now;
    const std::int64_t image = blockIdx.x, candidates = candidates_of(a, sorted, image);
    unsigned long long* const removed = masks.removed + image * masks.words;
    for (std::int64_t w = threadIdx.x; w < masks.words; w += kThreads) removed[w] = 0;
    std::int64_t count = 0;
    for (std::int64_t first = 0; first < candidates && count < a.capacity; first += kSide) {
        const std::int64_t word = first / kSide;
        const unsigned long long* const rows = masks.rows + (image * masks.candidates + first) * masks.words;
        __syncthreads();
        if (threadIdx.x == 0)
            kept_now = decide(rows + word, masks.words,
                              static_cast<int>(candidates - first < kSide ? candidates - first : kSide), removed[word]);
        __syncthreads();
        const unsigned long long kept = kept_now;
        for (std::int64_t w = word + 1 + threadIdx.x; w < masks.words; w += kThreads) {
            unsigned long long bits = removed[w];
            for (unsigned long long rest = kept; rest != 0; rest &= rest - 1)
                bits |= rows[(__ffsll(static_cast<long long>(rest)) - 1) * masks.words + w];
            removed[w] = bits;
        }
        const unsigned lane = threadIdx.x;
        if (lane < kSide && (kept >> lane & 1) != 0) {
            const std::int64_t number = count + __popcll(kept & ((1ULL << lane) - 1));
            const std::int64_t at = image * a.n + first + lane;
            if (number < a.capacity) write_kept(a, image, number, sorted.order[at], sorted.at(at).box);
        }
        count += __popcll(kept);
    }
    if (threadIdx.x == 0) a.counts[image] = static_cast<std::int32_t>(count < a.capacity ? count : a.capacity);
}

std::size_t workspace(const NmsArgs& a) {
    ScratchParts memory(nullptr);
    const Sorted sorted(a, memory);
    const Masks masks(a, memory);
    return memory.bytes();
}

void launch(const NmsArgs& a, cudaStream_t stream) {
    if (a.images == 0) return;
    ScratchParts memory(a.workspace);
    const Sorted sorted(a, memory);
    const Masks masks(a, memory);
    sort_candidates(a, sorted, nullptr, 0, stream);
    if (a.n == 0) return;
    const auto words = static_cast<unsigned>(masks.words);
    const dim3 blocks(words, words < kMostRowsInGrid ? words : kMostRowsInGrid);
    for (std::int64_t image = 0; image < a.images; ++image)
        test_pairs<<<blocks, kSide, 0, stream>>>(a, sorted, masks, image);
    combine_rows<<<static_cast<unsigned>(a.images), kThreads, 0, stream>>>(a, sorted, masks);
}

std::string_view refuses(const Problem& p) {
    const NmsScene scene = scene_of(p);
    const std::int64_t candidates = scene.top > 0 && scene.top < scene.boxes ? scene.top : scene.boxes;
    return scene.images * ceil_div(candidates, std::int64_t{kSide}) > (std::int64_t{1} << 28) / (candidates + 1)
               ? "its table of bits would be larger than 2 GiB; use wavefront"
               : "";
}
}  // namespace

LANEWORK_RUNG(nms, bitmask,
              {
                  .climbs_from = "naive",
                  .lesson = "Test all pairs in parallel, a bit for each; one block combines the rows of kept boxes.",
                  .launch = launch,
                  .workspace = workspace,
                  .refuses = refuses,
              });
// mends: few_blocks
