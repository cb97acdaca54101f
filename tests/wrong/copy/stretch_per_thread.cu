// finding: uncoalesced_access at line 12
// Each thread copies a stretch of its own, as a thread of a CPU would: the lanes of a warp lie a stretch apart, and
// every one of their words pulls a sector of its own.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kBlock = 128;
constexpr int kStretch = 16;  // words

__global__ void stretch_per_thread(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    const std::int64_t first = (std::int64_t{blockIdx.x} * kBlock + threadIdx.x) * kStretch;
    for (std::int64_t i = first; i < first + kStretch && i < words; ++i) out[i] = in[i];
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    const std::int64_t blocks = ceil_div(a.words, kBlock * kStretch);
    stretch_per_thread<<<static_cast<unsigned>(blocks), kBlock, 0, stream>>>(a.in, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(copy, stretch_per_thread,
              {.lesson = "Never: neighbouring lanes want neighbouring words.", .launch = launch});
