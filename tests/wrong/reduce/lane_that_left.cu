// expect: failed — a shuffle names lanes that have returned
// says: named by mask 0xffffffff in __shfl_down_sync at
// finding: divergent_barrier at line 12
#include "tests/wrong/reduce/block_sums.hpp"

namespace {
__global__ void lane_that_left(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    __shared__ std::int32_t sums[kBlock / 32];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n && threadIdx.x > 0) return;  // the lanes beyond the end leave; the mask below still names them
    std::int32_t sum = i < n ? in[i] : 0;
    for (int offset = 16; offset > 0; offset /= 2) sum = plus(sum, __shfl_down_sync(0xFFFFFFFF, sum, offset));
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x > 0) return;
    const int warps = static_cast<int>(n - i < kBlock ? ceil_div(n - i, 32) : kBlock / 32);
    std::int32_t total = 0;
    for (int warp = 0; warp < warps; ++warp) total = plus(total, sums[warp]);
    out[blockIdx.x] = total;
}

void launch(const ReduceArgs<std::int32_t>& a, cudaStream_t stream) {
    in_passes(a, [=](const std::int32_t* in, std::int32_t* out, std::int64_t n, unsigned blocks) {
        lane_that_left<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, lane_that_left,
              {
                  .lesson = "Never: a lane named in the mask has to take part.",
                  .launch = launch,
                  .workspace = workspace,
              });
