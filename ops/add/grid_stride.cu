// As many blocks as the device holds at once walk over the data in steps of the whole grid: any n, one launch shape.
#include "ops/add/blocks.hpp"
#include "ops/add/operation.hpp"
#include "src/cuda/resident_blocks.hpp"

namespace {
__global__ void __launch_bounds__(kBlockThreads) grid_stride(const float* x, const float* y, float* z, std::int64_t n) {
    const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
#pragma unroll 4
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) z[i] = x[i] + y[i];
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    // One wave, no tail of half-empty ones.
    const std::int64_t needed = ceil_div(a.n, kBlockThreads), resident = resident_blocks(grid_stride, kBlockThreads);
    const unsigned blocks = static_cast<unsigned>(needed < resident ? needed : resident);
    grid_stride<<<blocks, kBlockThreads, 0, stream>>>(a.x, a.y, a.z, a.n);
}
}  // namespace

LANEWORK_RUNG(add, grid_stride,
              {
                  .climbs_from = "coalesced",
                  .lesson = "A loop that strides by the grid makes the launch independent of n and reuses each thread.",
                  .launch = launch,
                  .fits = OneRow<add_signature>::fits,
                  .only = kRowsTouch,
              });
