// expect: wrong — blocks add to whatever the result held before
// says: where the reference has
// finding: uninitialised_read at line 19
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void result_not_reset(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : T{};
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, sums[0]);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    // Here clearing a.out is missing.
    result_not_reset<<<static_cast<unsigned>(blocks_of(a.n, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.n);
}
}  // namespace

LANEWORK_RUNG(reduce, result_not_reset,
              {
                  .lesson = "Never: right once, in memory that happens to be zero.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
              });
