// A rectangle of blocks: flatten the grid by the same rule that flattens a block, then step by the block's threads.
#include "ops/index/operation.hpp"
#include "ops/index/shape.hpp"

namespace {
constexpr int kThreads = 256;

__global__ void index_2d_1d(std::uint64_t* out, std::uint64_t n) {
    const std::uint64_t block = std::uint64_t{blockIdx.y} * gridDim.x + blockIdx.x;
    const unsigned thread = threadIdx.x, threads = blockDim.x;
    const std::uint64_t i = block * threads + thread;
    if (i < n) out[i] = i;
}

void launch(const IndexArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const GridShape grid = plane_of_blocks(ceil_div(a.n, kThreads));
    index_2d_1d<<<dim3(grid.x, grid.y, grid.z), dim3(kThreads), 0, stream>>>(a.out, static_cast<std::uint64_t>(a.n));
}
}  // namespace

LANEWORK_RUNG(
    index, 2d_1d,
    {
        .climbs_from = "1d_3d",
        .lesson = "A second grid dimension counts whole rows of blocks and ends at 65535 where x goes to 2147483647.",
        .launch = launch,
    });
