// The plain write: neighbouring threads store neighbouring words, so a warp fills whole 32-byte sectors.
#include "ops/write/operation.hpp"

namespace {
constexpr int kThreads = 256;

__global__ void coalesced(const std::int32_t* start, std::int32_t* out, std::int64_t words) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < words)
        out[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(*start) + static_cast<std::uint32_t>(i));
}

void launch(const WriteArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    coalesced<<<static_cast<unsigned>(ceil_div(a.words, kThreads)), kThreads, 0, stream>>>(a.start, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(write, coalesced,
              {
                  .lesson = "Sectors that are written whole need not be read first.",
                  .launch = launch,
              });
