// finding: atomic_contention at line 13
// Every element is added to the result by an atomic operation of its own, and the lanes of a warp queue up for it.
#include "ops/reduce/passes.hpp"
#include "src/cuda/check.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void every_lane_queues(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    // shuffles would add up a warp first
    atomicAdd(out, in[i]);
}

void launch(const ReduceArgs<std::int32_t>& a, cudaStream_t stream) {
    LANEWORK_CHECK(cudaMemsetAsync(a.out, 0, sizeof(*a.out), stream));
    if (a.n == 0) return;
    every_lane_queues<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.n);
}
}  // namespace

LANEWORK_RUNG(reduce, every_lane_queues,
              {
                  .lesson = "Never: additions to one address go one after another.",
                  .launch = {launch},
                  .refuses = refuse_other_forms,
              });
