// A rectangle of blocks, each a box of threads: the two flattenings stay independent of each other.
#include "ops/index/operation.hpp"
#include "ops/index/shape.hpp"

namespace {
constexpr int kWidth = 16, kHeight = 8, kDepth = 2;

__global__ void index_2d_3d(std::uint64_t* out, std::uint64_t n) {
    const std::uint64_t block = std::uint64_t{blockIdx.y} * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x,
                   threads = blockDim.x * blockDim.y * blockDim.z;
    const std::uint64_t i = block * threads + thread;
    if (i < n) out[i] = i;
}

void launch(const IndexArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const GridShape grid = plane_of_blocks(ceil_div(a.n, kWidth * kHeight * kDepth));
    index_2d_3d<<<dim3(grid.x, grid.y, grid.z), dim3(kWidth, kHeight, kDepth), 0, stream>>>(
        a.out, static_cast<std::uint64_t>(a.n));
}
}  // namespace

LANEWORK_RUNG(
    index, 2d_3d,
    {
        .climbs_from = "2d_2d",
        .lesson =
            "Threads per block is the product of all three block dimensions; a factor left out makes threads collide.",
        .launch = launch,
    });
