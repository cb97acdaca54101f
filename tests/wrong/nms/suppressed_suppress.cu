// expect: wrong — a box that is suppressed itself still suppresses others, as a test of all pairs at once would have it
// says: indices[
#include "tests/wrong/nms/one_thread.cuh"

namespace {
__global__ void suppressed_suppress(NmsArgs a, OneThread work) {
    suppress_in_order(a, work, blockIdx.x, [&](bool, const BoxCandidate& earlier, const BoxCandidate& own) {
        return suppresses(earlier, own, a.iou_threshold);
    });
}

void launch(const NmsArgs& a, cudaStream_t stream) {
    ScratchParts memory(a.workspace);
    const OneThread work(a, memory);
    sort_candidates(a, work.sorted, nullptr, 0, stream);
    if (a.n > 0) suppressed_suppress<<<static_cast<unsigned>(a.images), 1, 0, stream>>>(a, work);
}
}  // namespace

LANEWORK_RUNG(nms, suppressed_suppress,
              {
                  .lesson = "Never: only a kept box suppresses, which makes the problem one of order.",
                  .launch = launch,
                  .workspace = one_thread_workspace,
              });
