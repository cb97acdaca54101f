// expect: wrong — the last warp counts on its lanes running in lockstep, which no device since Volta does
// says: out[0] is
// finding: warp_synchrony at line 20
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void lockstep(const T* in, T* out, std::int64_t n) {
    __shared__ volatile T sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : T{};
    __syncthreads();
    for (unsigned half = kBlock / 2; half >= 32; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus<T>(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    for (unsigned half = 16; half > 0; half /= 2)  // __syncwarp() is missing after each read and each write
        if (threadIdx.x < half) sums[threadIdx.x] = plus<T>(sums[threadIdx.x], sums[threadIdx.x + half]);
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kBlock)) * sizeof(T);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    in_passes(a, kBlock, static_cast<T*>(a.workspace), [=](const T* in, T* out, std::int64_t n, unsigned blocks) {
        lockstep<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, lockstep,
              {
                  .lesson = "Never: volatile keeps the order of one thread, not of a warp.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
              });
