// expect: failed — a shuffle names lanes that have returned
// says: named by mask 0xffffffff in __shfl_down_sync at
// finding: divergent_barrier at line 15
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void lane_that_left(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kBlock / 32];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n && threadIdx.x > 0) return;  // the lanes beyond the end leave; the mask below still names them
    T sum = i < n ? in[i] : T{};
    for (int offset = 16; offset > 0; offset /= 2) sum = plus(sum, __shfl_down_sync(0xFFFFFFFF, sum, offset));
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x > 0) return;
    const int warps = static_cast<int>(n - i < kBlock ? ceil_div(n - i, 32) : kBlock / 32);
    T total{};
    for (int warp = 0; warp < warps; ++warp) total = plus(total, sums[warp]);
    out[blockIdx.x] = total;
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kBlock)) * sizeof(T);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    in_passes(a, kBlock, static_cast<T*>(a.workspace), [=](const T* in, T* out, std::int64_t n, unsigned blocks) {
        lane_that_left<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, lane_that_left,
              {
                  .lesson = "Never: a lane named in the mask has to take part.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
              });
