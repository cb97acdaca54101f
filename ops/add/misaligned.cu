// Every warp starts one element late: its 128 bytes lie in two lines, five sectors where four would do.
#include "ops/add/blocks.hpp"
#include "ops/add/operation.hpp"

namespace {
__global__ void misaligned(const float* x, const float* y, float* z, std::int64_t n) {
    const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (thread >= n) return;
    const std::int64_t i = thread + 1 < n ? thread + 1 : 0;  // the last thread has no successor: it takes element 0
    z[i] = x[i] + y[i];
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    misaligned<<<blocks_for(a.n), kBlockThreads, 0, stream>>>(a.x, a.y, a.z, a.n);
}
}  // namespace

LANEWORK_RUNG(add, misaligned,
              {
                  .climbs_from = "strided",
                  .lesson = "A warp that starts off a 32-byte boundary touches five sectors; caches hide most of it.",
                  .launch = launch,
                  .refuses = refuse_beyond_grid,
                  .fits = OneRow<add_signature>::fits,
                  .only = kRowsTouch,
              });
// mends: uncoalesced_access
