// Memory is kept busy by bytes in flight. Loads of sixteen bytes, several per thread before the first is used, ask for
// many times as much at once.
#include "ops/reduce/grid.hpp"
#include "ops/reduce/vector_sum.hpp"
#include "ops/reduce/warp_sum.hpp"

namespace {
constexpr struct {
    int block = 1024;   // short-lived threads: a block reads 64 KiB and ends
    int in_flight = 4;  // 16-byte loads per thread
} kTuning;

template <class T>
__global__ void __launch_bounds__(kTuning.block) vectorized(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kTuning.block / kWarp];
    const T sum = block_sum(vector_sum<kTuning.in_flight>(in, n), sums);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    LANEWORK_CHECK(cudaMemsetAsync(a.out, 0, sizeof(T), stream));
    const std::int64_t per_block = kTuning.block * kTuning.in_flight * Pack<T>::kValues;
    const auto blocks = static_cast<unsigned>(blocks_of(a.n, per_block));
    vectorized<<<blocks, kTuning.block, 0, stream>>>(a.in, a.out, a.n);
}
}  // namespace

LANEWORK_RUNG(
    reduce, vectorized,
    {
        .climbs_from = "warp_shuffle",
        .lesson = "16-byte loads, several in flight per thread: enough bytes on their way to fill the memory bus.",
        .launch = {launch<std::int32_t>, launch<float>, launch<double>},
        .refuses = refuse_other_forms,
    });
