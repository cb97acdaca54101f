// The second launch existed only to add a thousand numbers. Atomic additions do that as the blocks end; in floating
// point their order, and with it the last bits of the result, changes from run to run.
#include "ops/reduce/grid.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void __launch_bounds__(kBlock) atomic_finish(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kBlock];
    const std::int64_t step = std::int64_t{gridDim.x} * kBlock;
    T sum{};
#pragma unroll 4
    for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += step) sum = plus(sum, in[i]);
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, sums[0]);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    static const std::int64_t resident = resident_blocks(atomic_finish<T>, kBlock);
    LANEWORK_CHECK(cudaMemsetAsync(a.out, 0, sizeof(T), stream));  // what is added to must start at zero
    atomic_finish<<<grid_for(a.n, kBlock, resident), kBlock, 0, stream>>>(a.in, a.out, a.n);
}
}  // namespace

LANEWORK_RUNG(reduce, atomic_finish,
              {
                  .climbs_from = "grid_stride",
                  .lesson = "Blocks add their sums atomically: one launch fewer, but floats now depend on the order.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .refuses = refuse_other_forms,
              });
