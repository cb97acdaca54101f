// A box of blocks of one row of threads: grid.x · grid.y blocks lie in each layer of the grid.
#include "ops/index/operation.hpp"
#include "ops/index/shape.hpp"

namespace {
constexpr int kThreads = 256;

__global__ void index_3d_1d(std::uint64_t* out, std::uint64_t n) {
    const std::uint64_t block = (std::uint64_t{blockIdx.z} * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = threadIdx.x, threads = blockDim.x;
    const std::uint64_t i = block * threads + thread;
    if (i < n) out[i] = i;
}

void launch(const IndexArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const GridShape grid = box_of_blocks(ceil_div(a.n, kThreads));
    index_3d_1d<<<dim3(grid.x, grid.y, grid.z), dim3(kThreads), 0, stream>>>(a.out, static_cast<std::uint64_t>(a.n));
}
}  // namespace

LANEWORK_RUNG(index, 3d_1d,
              {
                  .climbs_from = "2d_3d",
                  .lesson = "A third grid dimension counts layers of blocks: z × height + y, then × width + x.",
                  .launch = launch,
              });
