// expect: wrong — of equal scores the last box that is found is visited first
// says: indices[
#include "tests/wrong/nms/one_thread.cuh"

namespace {
/// The first launch clears the outputs and counts; `left` are keys by place, which are taken away one by one.
__global__ void unstable_ties(NmsArgs a, OneThread work) {
    const std::int64_t image = blockIdx.x, first = image * a.n, candidates = work.sorted.candidates[image];
    for (std::int64_t i = 0; i < candidates; ++i) work.suppressed[first + i] = 0;
    std::int64_t count = 0;
    for (; count < a.capacity; ++count) {
        std::int64_t best = -1;
        float highest = 0;
        for (std::int64_t i = 0; i < candidates; ++i) {
            const float score = a.scores[first + work.sorted.order[first + i]];
            if (work.suppressed[first + i] != 0 || (best >= 0 && score < highest)) continue;  // >= takes the later one
            best = i;
            highest = score;
        }
        if (best < 0) break;
        const BoxCandidate kept = work.sorted.at(first + best);
        write_kept(a, image, count, work.sorted.order[first + best], kept.box);
        work.suppressed[first + best] = 1;
        for (std::int64_t i = 0; i < candidates; ++i)
            if (suppresses(kept, work.sorted.at(first + i), a.iou_threshold)) work.suppressed[first + i] = 1;
    }
    a.counts[image] = static_cast<std::int32_t>(count);
}

void launch(const NmsArgs& a, cudaStream_t stream) {
    ScratchParts memory(a.workspace);
    const OneThread work(a, memory);
    sort_candidates(a, work.sorted, nullptr, 0, stream);
    if (a.n > 0) unstable_ties<<<static_cast<unsigned>(a.images), 1, 0, stream>>>(a, work);
}
}  // namespace

LANEWORK_RUNG(
    nms, unstable_ties,
    {
        .lesson = "Never: equal scores are common in quantised networks, and the result would depend on chance.",
        .launch = launch,
        .workspace = one_thread_workspace,
    });
