// finding: block_size at line 15
// Blocks of 20 threads: a warp has 32 lanes, and 12 of them never do anything.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kBlock = 20;

__global__ void blocks_of_twenty(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < words) out[i] = in[i];
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    blocks_of_twenty<<<static_cast<unsigned>(ceil_div(a.words, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(copy, blocks_of_twenty, {.lesson = "Never: blocks are whole warps.", .launch = launch});
