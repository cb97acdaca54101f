// Every byte adds one to its counter in memory. The 256 counters lie in a few lines of the L2, where the additions of
// the whole device queue up; with skewed bytes nearly all of them queue for the same counter.
#include "ops/histogram/counting.cuh"

namespace {
constexpr int kBlock = 256;
constexpr int kBlocksPerProcessor = 8;

__global__ void __launch_bounds__(kBlock)
    global_atomics(const std::uint8_t* in, unsigned long long* counts, std::int64_t n) {
    const std::int64_t step = std::int64_t{gridDim.x} * kBlock;
    for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += step)
        atomicAdd(counts + in[i], 1ULL);
}

void launch(const HistogramArgs& a, cudaStream_t stream) {
    clear_counts(a, stream);
    if (a.n == 0) return;
    const unsigned blocks = staying_blocks(a.n, kBlock, kBlocksPerProcessor);
    global_atomics<<<blocks, kBlock, 0, stream>>>(a.in, atomic_counts(a), a.n);
}
}  // namespace

LANEWORK_RUNG(histogram, global_atomics,
              {
                  .lesson = "One atomic addition per byte, all to the same few cache lines: the device waits in line.",
                  .launch = launch,
                  .fits = OneRow<histogram_signature>::fits,
                  .only = kRowsTouch,
              });
