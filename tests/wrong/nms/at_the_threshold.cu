// expect: wrong — a box is suppressed where the quotient is the threshold itself, not above it
// says: indices[
#include "tests/wrong/nms/one_thread.cuh"

namespace {
__device__ bool reaches(const BoxCandidate& a, const BoxCandidate& b, float threshold) {
    const float width = fminf(a.box.x2, b.box.x2) - fmaxf(a.box.x1, b.box.x1);
    const float height = fminf(a.box.y2, b.box.y2) - fmaxf(a.box.y1, b.box.y1);
    const float both = fmaxf(width, 0.0F) * fmaxf(height, 0.0F);
    return both / ((a.area + b.area) - both) >= threshold;
}

__global__ void at_the_threshold(NmsArgs a, OneThread work) {
    suppress_in_order(a, work, blockIdx.x, [&](bool suppressed, const BoxCandidate& earlier, const BoxCandidate& own) {
        return !suppressed && earlier.label == own.label && reaches(earlier, own, a.iou_threshold);
    });
}

void launch(const NmsArgs& a, cudaStream_t stream) {
    ScratchParts memory(a.workspace);
    const OneThread work(a, memory);
    sort_candidates(a, work.sorted, nullptr, 0, stream);
    if (a.n > 0) at_the_threshold<<<static_cast<unsigned>(a.images), 1, 0, stream>>>(a, work);
}
}  // namespace

LANEWORK_RUNG(nms, at_the_threshold,
              {
                  .lesson = "Never: boxes on a grid reach a threshold of one half exactly, and are kept.",
                  .launch = launch,
                  .workspace = one_thread_workspace,
              });
