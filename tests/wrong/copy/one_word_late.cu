// finding: excessive_sectors at line 14
// The first block copies one word less, so that all warps start a word late: each touches five sectors where four
// would hold its words.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void one_word_late(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    const std::int64_t thread = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (thread >= words) return;
    const std::int64_t i = thread + 1 == words ? 0 : thread + 1;
    // i = thread would be right
    out[i] = in[i];
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    one_word_late<<<static_cast<unsigned>(ceil_div(a.words, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(copy, one_word_late, {.lesson = "Never: a warp's words start at a sector.", .launch = launch});
