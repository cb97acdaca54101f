// Neighbouring lanes work 32 elements apart: each of a warp's 32 loads pulls its own sector and uses an eighth of it.
#include "ops/add/blocks.hpp"
#include "ops/add/operation.hpp"

namespace {
constexpr int kStride = 32;  // elements: 128 bytes, one cache line

// The array as lines of kStride elements: threads go down a column, blockIdx.y names the column.
__global__ void strided(const float* x, const float* y, float* z, std::int64_t n) {
    const std::int64_t line = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::int64_t i = line * kStride + blockIdx.y;
    if (i < n) z[i] = x[i] + y[i];
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid(blocks_for(ceil_div(a.n, kStride)), kStride);
    strided<<<grid, kBlockThreads, 0, stream>>>(a.x, a.y, a.z, a.n);
}
}  // namespace

LANEWORK_RUNG(add, strided,
              {
                  .lesson = "Lanes 128 bytes apart make 32 sectors of one request, and an eighth of each is used.",
                  .launch = launch,
                  .refuses = refuse_beyond_grid,
                  .fits = OneRow<add_signature>::fits,
                  .only = kRowsTouch,
              });
