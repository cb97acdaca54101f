// A rectangle of blocks of rectangles of threads: both levels are flattened, each by its own widths.
#include "ops/index/operation.hpp"
#include "ops/index/shape.hpp"

namespace {
constexpr int kWidth = 32, kHeight = 8;

__global__ void index_2d_2d(std::uint64_t* out, std::uint64_t n) {
    const std::uint64_t block = std::uint64_t{blockIdx.y} * gridDim.x + blockIdx.x;
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    const std::uint64_t i = block * threads + thread;
    if (i < n) out[i] = i;
}

void launch(const IndexArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const GridShape grid = plane_of_blocks(ceil_div(a.n, kWidth * kHeight));
    index_2d_2d<<<dim3(grid.x, grid.y, grid.z), dim3(kWidth, kHeight), 0, stream>>>(a.out,
                                                                                    static_cast<std::uint64_t>(a.n));
}
}  // namespace

LANEWORK_RUNG(
    index, 2d_2d,
    {
        .climbs_from = "2d_1d",
        .lesson = "Flatten the block's place and the thread's place apart, then join them with the threads per block.",
        .launch = launch,
    });
