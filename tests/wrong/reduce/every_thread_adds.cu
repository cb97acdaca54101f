// expect: wrong — the sum of a block is added by each of its threads: `if (threadIdx.x == 0)` is missing
// says: out[0] is
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void clear(T* out) {
    *out = T{};
}

template <class T>
__global__ void every_thread_adds(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : T{};
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    atomicAdd(out, sums[0]);  // if (threadIdx.x == 0) is missing
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    clear<<<1, 1, 0, stream>>>(a.out);
    every_thread_adds<<<static_cast<unsigned>(blocks_of(a.n, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.n);
}
}  // namespace

LANEWORK_RUNG(reduce, every_thread_adds,
              {
                  .lesson = "Never: one result, 256 additions of it.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
              });
