// Lane k takes element k of an aligned run of 32: a warp's request is four whole sectors, and nothing is fetched in
// vain.
#include "ops/add/blocks.hpp"
#include "ops/add/operation.hpp"

namespace {
__global__ void coalesced(const float* x, const float* y, float* z, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    coalesced<<<blocks_for(a.n), kBlockThreads, 0, stream>>>(a.x, a.y, a.z, a.n);
}
}  // namespace

LANEWORK_RUNG(add, coalesced,
              {
                  .climbs_from = "misaligned",
                  .lesson = "Consecutive lanes on consecutive, aligned elements: every byte that is moved is used.",
                  .launch = launch,
                  .refuses = refuse_beyond_grid,
                  .fits = OneRow<add_signature>::fits,
                  .only = kRowsTouch,
              });
