// finding: separate_launches at line 17
// A launch for each stretch of 4096 words: each one has to be started, and is over before it fills the GPU.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kBlock = 256;
constexpr std::int64_t kStretch = 4096;

__global__ void copy_stretch(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < words) out[i] = in[i];
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    for (std::int64_t first = 0; first < a.words; first += kStretch) {
        const std::int64_t words = a.words - first < kStretch ? a.words - first : kStretch;
        copy_stretch<<<static_cast<unsigned>(ceil_div(words, kBlock)), kBlock, 0, stream>>>(a.in + first, a.out + first,
                                                                                            words);
    }
}
}  // namespace

LANEWORK_RUNG(copy, launch_for_each_stretch,
              {.lesson = "Never: one launch covers all of it, with as many blocks as it takes.", .launch = launch});
