// expect: wrong — of equal scores the last class is taken
// says: classes[
#include "ops/decode/grid.hpp"
#include "ops/decode/scores.hpp"

namespace {
__global__ void last_of_equal(DecodeArgs a) {
    const std::int64_t index = std::int64_t{blockIdx.x} * kDecodeBlock + threadIdx.x;
    if (index >= a.n) return;
    const bool v5 = a.form == HeadForm::v5;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        const float* const first = a.values + image * a.n * a.row() + (v5 ? index * a.row() : index);
        const std::int64_t step = v5 ? 1 : a.n;
        Scored best{first[a.head() * step], 0};
        for (std::int32_t c = 1; c < a.classes; ++c) {
            const float score = first[(a.head() + c) * step];
            if (score >= best.score || (!is_number(score) && is_number(best.score))) best = {score, c};
        }
        const float box[4] = {first[0], first[step], first[2 * step], first[3 * step]};
        write_decoded(a, image * a.n + index, box, v5 ? first[4] : 1.0F, best);
    }
}

void launch(const DecodeArgs& a, cudaStream_t stream) {
    if (a.n == 0 || a.images == 0) return;
    last_of_equal<<<decode_grid(a, kDecodeBlock), kDecodeBlock, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(decode, last_of_equal,
              {
                  .lesson = "Never: the first of equal classes is the one that every device can agree on.",
                  .launch = launch,
              });
