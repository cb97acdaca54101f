// finding: few_blocks at line 15
// One block walks through everything, and all other SMs of the GPU idle.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kBlock = 1024;

__global__ void one_block(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    for (std::int64_t i = threadIdx.x; i < words; i += kBlock) out[i] = in[i];
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    // a grid of several blocks for each SM would be right
    one_block<<<1, kBlock, 0, stream>>>(a.in, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(copy, one_block, {.lesson = "Never: a block runs on one SM.", .launch = launch});
