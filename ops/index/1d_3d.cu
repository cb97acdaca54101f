// A row of blocks, each a box of threads: depth counts planes, height counts rows, x counts threads.
#include "ops/index/operation.hpp"
#include "ops/index/shape.hpp"

namespace {
constexpr int kWidth = 16, kHeight = 8, kDepth = 2;

__global__ void index_1d_3d(std::uint64_t* out, std::uint64_t n) {
    const std::uint64_t block = blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x,
                   threads = blockDim.x * blockDim.y * blockDim.z;
    const std::uint64_t i = block * threads + thread;
    if (i < n) out[i] = i;
}

void launch(const IndexArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const GridShape grid = line_of_blocks(ceil_div(a.n, kWidth * kHeight * kDepth));
    index_1d_3d<<<dim3(grid.x, grid.y, grid.z), dim3(kWidth, kHeight, kDepth), 0, stream>>>(
        a.out, static_cast<std::uint64_t>(a.n));
}
}  // namespace

LANEWORK_RUNG(
    index, 1d_3d,
    {
        .climbs_from = "1d_2d",
        .lesson = "A third block dimension adds whole planes of threads; a block still holds 1024 at most.",
        .launch = launch,
        .refuses = [](const Problem& p) { return line_refusal(p.lengths<IndexAxes>().n, kWidth * kHeight * kDepth); },
    });
