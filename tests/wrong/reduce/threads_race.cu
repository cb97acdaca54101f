// expect: wrong — threads add to one number in shared memory without an atomic operation
// says: under schedule
// finding: race at line 17
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void threads_race(const T* in, T* out, std::int64_t n) {
    __shared__ T y;
    if (threadIdx.x == 0) y = T{};
    __syncthreads();
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) {
        const T s = in[i];
        y = plus(y, s);  // atomicAdd(&y, s) would be right
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = y;
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kBlock)) * sizeof(T);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    in_passes(a, kBlock, static_cast<T*>(a.workspace), [=](const T* in, T* out, std::int64_t n, unsigned blocks) {
        threads_race<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, threads_race,
              {
                  .lesson = "Never: y += s by many threads at once.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
              });
