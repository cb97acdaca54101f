// expect: wrong — reading, adding and writing are three steps, and the increments of other threads get lost between
// says: counts[
#include "ops/histogram/counting.cuh"

namespace {
constexpr int kBlock = 256;

__global__ void plain_increment(const std::uint8_t* in, unsigned long long* counts, std::int64_t n) {
    __shared__ unsigned bins[kBins];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (std::int64_t i = threadIdx.x; i < n; i += kBlock) ++bins[in[i]];  // atomicAdd(&bins[in[i]], 1U) would be right
    __syncthreads();
    counts[threadIdx.x] = bins[threadIdx.x];
}

void launch(const HistogramArgs& a, cudaStream_t stream) {
    plain_increment<<<1, kBlock, 0, stream>>>(a.in, atomic_counts(a), a.n);
}
}  // namespace

LANEWORK_RUNG(histogram, plain_increment,
              {
                  .lesson = "Never: threads that read the same count write the same sum.",
                  .launch = launch,
              });
