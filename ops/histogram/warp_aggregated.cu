// Lanes of a warp that hold the same byte find each other and send one of them, which adds their number. Skewed bytes
// then cost no more than others; for uniform ones, finding each other costs more than the turns that it saves.
#include "ops/histogram/counting.cuh"

namespace {
constexpr int kBlock = 512;
constexpr int kBlocksPerProcessor = 4;

/// Adds the bytes of the lanes in `lanes`, all of which call this, to the bins.
__device__ void add_warp(unsigned* bins, unsigned byte, unsigned lanes) {
    const unsigned same = __match_any_sync(lanes, byte), lane = threadIdx.x % kWarp;
    if (lane == static_cast<unsigned>(__ffs(static_cast<int>(same))) - 1)
        atomicAdd(bins + byte, static_cast<unsigned>(__popc(same)));
}

__global__ void __launch_bounds__(kBlock)
    warp_aggregated(const std::uint8_t* in, unsigned long long* counts, std::int64_t n) {
    __shared__ unsigned bins[kBins];
    for (int bin = threadIdx.x; bin < kBins; bin += kBlock) bins[bin] = 0;
    __syncthreads();
    const std::int64_t step = std::int64_t{gridDim.x} * kBlock;
    std::int64_t first = std::int64_t{blockIdx.x} * kBlock + threadIdx.x / kWarp * kWarp;  // of this warp
    const unsigned lane = threadIdx.x % kWarp;
    for (; first + kWarp <= n; first += step) add_warp(bins, in[first + lane], kAllLanes);
    if (first + lane < n) add_warp(bins, in[first + lane], (1U << (n - first)) - 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < kBins; bin += kBlock)
        if (bins[bin] > 0) atomicAdd(counts + bin, static_cast<unsigned long long>(bins[bin]));
}

void launch(const HistogramArgs& a, cudaStream_t stream) {
    clear_counts(a, stream);
    if (a.n == 0) return;
    const unsigned blocks = staying_blocks(a.n, kBlock, kBlocksPerProcessor);
    warp_aggregated<<<blocks, kBlock, 0, stream>>>(a.in, atomic_counts(a), a.n);
}
}  // namespace

LANEWORK_RUNG(
    histogram, warp_aggregated,
    {
        .climbs_from = "shared_private",
        .lesson = "Equal bytes of a warp are added at once: match_any finds them, one lane adds their number.",
        .launch = launch,
        .fits = OneRow<histogram_signature>::fits,
        .only = kRowsTouch,
    });
