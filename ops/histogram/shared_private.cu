// Each block counts in shared memory and adds its 256 counts to the result once. Lanes that meet in a bank still take
// turns: of 32 random bytes, three or four want the same one.
#include "ops/histogram/counting.cuh"

namespace {
constexpr int kBlock = 512;
constexpr int kBlocksPerProcessor = 4;

__global__ void __launch_bounds__(kBlock)
    shared_private(const std::uint8_t* in, unsigned long long* counts, std::int64_t n) {
    __shared__ unsigned bins[kBins];
    for (int bin = threadIdx.x; bin < kBins; bin += kBlock) bins[bin] = 0;
    __syncthreads();
    const std::int64_t step = std::int64_t{gridDim.x} * kBlock;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += step)
        atomicAdd(bins + in[i], 1U);
    __syncthreads();
    for (int bin = threadIdx.x; bin < kBins; bin += kBlock)
        if (bins[bin] > 0) atomicAdd(counts + bin, static_cast<unsigned long long>(bins[bin]));
}

void launch(const HistogramArgs& a, cudaStream_t stream) {
    clear_counts(a, stream);
    if (a.n == 0) return;
    const unsigned blocks = staying_blocks(a.n, kBlock, kBlocksPerProcessor);
    shared_private<<<blocks, kBlock, 0, stream>>>(a.in, atomic_counts(a), a.n);
}
}  // namespace

LANEWORK_RUNG(histogram, shared_private,
              {
                  .climbs_from = "global_atomics",
                  .lesson = "A private histogram per block in shared memory; memory sees 256 additions per block.",
                  .launch = launch,
                  .fits = OneRow<histogram_signature>::fits,
                  .only = kRowsTouch,
              });
// mends: contended_atomics
