// The definition, step by step: a block looks for the best box that is left, keeps it, and takes away those that it
// suppresses. Every kept box costs a walk over all boxes, and an image has but one block.
#include "ops/nms/sorting.cuh"

namespace {
constexpr int kThreads = 256;

struct Keys {
    std::uint64_t *all, *left;  ///< images × n: of every box; of those that are still to be decided

    Keys(const NmsArgs& a, ScratchParts& memory)
        : all(memory.take<std::uint64_t>(a.images * a.n)), left(memory.take<std::uint64_t>(a.images * a.n)) {}
};

__global__ void make_keys(NmsArgs a, Keys keys) {
    const std::int64_t index = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (index >= a.n) return;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        bool dropped = false;
        keys.all[image * a.n + index] = key_of(a, image, index, dropped);
        if (dropped) atomicAdd(&a.dropped[image], 1);
    }
}

/// Those that are not among the best `top` are not looked at.
__global__ void choose_top(NmsArgs a, Keys keys) {
    const std::int64_t index = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (index >= a.n) return;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        const std::uint64_t* const all = keys.all + image * a.n;
        std::int64_t better = 0;
        if (a.most_candidates() < a.n)
            for (std::int64_t other = 0; other < a.n; ++other) better += all[other] < all[index] ? 1 : 0;
        keys.left[image * a.n + index] = better < a.most_candidates() ? all[index] : kNoCandidate;
    }
}

/// The smallest key that is left to one thread.
__device__ std::uint64_t best_of(const std::uint64_t* left, std::int64_t n) {
    std::uint64_t best = kNoCandidate;
    for (std::int64_t i = threadIdx.x; i < n; i += kThreads) best = left[i] < best ? left[i] : best;
    return best;
}

__global__ void __launch_bounds__(kThreads) naive(NmsArgs a, Keys keys) {
    __shared__ unsigned long long best;
    for (std::int64_t image = blockIdx.x; image < a.images; image += gridDim.x) {
        std::uint64_t* const left = keys.left + image * a.n;
        std::int64_t count = 0;
        for (; count < a.capacity; ++count) {
            __syncthreads();
            if (threadIdx.x == 0) best = kNoCandidate;
            const std::uint64_t own = best_of(left, a.n);
            __syncthreads();
            if (own != kNoCandidate) atomicMin(&best, static_cast<unsigned long long>(own));
            __syncthreads();
            if (best == kNoCandidate) break;
            const BoxCandidate kept = candidate_of(a, image, index_of(best));
            if (threadIdx.x == 0) write_kept(a, image, count, index_of(best), kept.box);
            for (std::int64_t i = threadIdx.x; i < a.n; i += kThreads)
                if (left[i] == best ||
                    (left[i] != kNoCandidate && suppresses(kept, candidate_of(a, image, i), a.iou_threshold)))
                    left[i] = kNoCandidate;
        }
        if (threadIdx.x == 0) a.counts[image] = static_cast<std::int32_t>(count);
        __syncthreads();
    }
}

std::size_t workspace(const NmsArgs& a) {
    ScratchParts memory(nullptr);
    const Keys keys(a, memory);
    memory.take<std::int32_t>(a.images);
    return memory.bytes();
}

void launch(const NmsArgs& a, cudaStream_t stream) {
    if (a.images == 0) return;
    ScratchParts memory(a.workspace);
    const Keys keys(a, memory);
    begin_nms<<<begin_blocks(a.images * a.capacity), kBeginThreads, 0, stream>>>(
        a, memory.take<std::int32_t>(a.images), static_cast<unsigned long long*>(nullptr), 0);
    if (a.n == 0) return;
    const auto images = static_cast<unsigned>(a.images < kMostImagesInGrid ? a.images : kMostImagesInGrid);
    const dim3 blocks(static_cast<unsigned>(ceil_div(a.n, std::int64_t{kThreads})), images);
    make_keys<<<blocks, kThreads, 0, stream>>>(a, keys);
    choose_top<<<blocks, kThreads, 0, stream>>>(a, keys);
    naive<<<images, kThreads, 0, stream>>>(a, keys);
}
}  // namespace

LANEWORK_RUNG(nms, naive,
              {
                  .lesson = "Find the best box left, keep it, suppress, again: one block walks over all, each time.",
                  .launch = launch,
                  .workspace = workspace,
              });
