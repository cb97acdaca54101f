// Inside a warp, registers can be read across lanes: the tree needs one barrier instead of eight, and 8 words of shared
// memory instead of 256.
#include "ops/reduce/grid.hpp"
#include "ops/reduce/warp_sum.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void __launch_bounds__(kBlock) warp_shuffle(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kBlock / kWarp];
    const std::int64_t step = std::int64_t{gridDim.x} * kBlock;
    T sum{};
#pragma unroll 4
    for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += step) sum = plus(sum, in[i]);
    sum = block_sum(sum, sums);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    static const std::int64_t resident = resident_blocks(warp_shuffle<T>, kBlock);
    LANEWORK_CHECK(cudaMemsetAsync(a.out, 0, sizeof(T), stream));
    warp_shuffle<<<grid_for(a.n, kBlock, resident), kBlock, 0, stream>>>(a.in, a.out, a.n);
}
}  // namespace

LANEWORK_RUNG(reduce, warp_shuffle,
              {
                  .climbs_from = "atomic_finish",
                  .lesson = "Shuffles sum a warp in registers; shared memory carries one value per warp.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .refuses = refuse_other_forms,
              });
