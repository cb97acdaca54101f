// The plain copy: neighbouring threads touch neighbouring words, so a warp's 32 loads become four 32-byte sectors.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kThreads = 256;

__global__ void coalesced(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < words) out[i] = in[i];
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    coalesced<<<static_cast<unsigned>(ceil_div(a.words, kThreads)), kThreads, 0, stream>>>(a.in, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(copy, coalesced,
              {
                  .lesson = "Neighbouring threads move neighbouring words: every sector that is fetched is used.",
                  .launch = launch,
              });
