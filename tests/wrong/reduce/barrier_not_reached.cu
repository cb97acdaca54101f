// expect: failed — only part of a block reaches the barrier
// says: threads of block (0,0,0) wait at __syncthreads() at
// finding: divergent_barrier at line 18
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void barrier_not_reached(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : T{};
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
            __syncthreads();  // inside the branch: the block's other threads have left
        }
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kBlock)) * sizeof(T);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    in_passes(a, kBlock, static_cast<T*>(a.workspace), [=](const T* in, T* out, std::int64_t n, unsigned blocks) {
        barrier_not_reached<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, barrier_not_reached,
              {
                  .lesson = "Never: a barrier is for every thread of the block.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
              });
