// finding: low_occupancy at line 21
// A block of two warps holds 48 KiB of shared memory and uses 256 bytes of it: an SM has room for few such blocks.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kBlock = 64;
constexpr int kStaged = 12 * 1024;  // words; kBlock would be right

__global__ void hoards_shared_memory(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    __shared__ std::int32_t staged[kStaged];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < words) staged[threadIdx.x] = in[i];
    __syncthreads();
    // No lane reads another's word.
    if (i < words) out[i] = staged[threadIdx.x];
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.words, kBlock));
    hoards_shared_memory<<<blocks, kBlock, 0, stream>>>(a.in, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(copy, hoards_shared_memory,
              {.lesson = "Never: what a block holds, other blocks cannot have.", .launch = launch});
