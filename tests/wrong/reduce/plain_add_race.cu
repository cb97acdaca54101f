// expect: wrong — blocks add to one number without an atomic operation: sums overwrite each other
// says: out[0] is
// finding: race at line 24
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void clear(T* out) {
    *out = T{};
}

template <class T>
__global__ void plain_add_race(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : T{};
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = plus(*out, sums[0]);  // atomicAdd(out, sums[0]) would be right
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    clear<<<1, 1, 0, stream>>>(a.out);
    plain_add_race<<<static_cast<unsigned>(blocks_of(a.n, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.n);
}
}  // namespace

LANEWORK_RUNG(reduce, plain_add_race,
              {
                  .lesson = "Never: reading, adding and writing are three steps, and another block comes in between.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
              });
