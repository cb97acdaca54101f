// A box of blocks of boxes of threads: the general case, of which the other eight are special ones.
#include "ops/index/operation.hpp"
#include "ops/index/shape.hpp"

namespace {
constexpr int kWidth = 16, kHeight = 8, kDepth = 2;

__global__ void index_3d_3d(std::uint64_t* out, std::uint64_t n) {
    const std::uint64_t block = (std::uint64_t{blockIdx.z} * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x,
                   threads = blockDim.x * blockDim.y * blockDim.z;
    const std::uint64_t i = block * threads + thread;
    if (i < n) out[i] = i;
}

void launch(const IndexArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const GridShape grid = box_of_blocks(ceil_div(a.n, kWidth * kHeight * kDepth));
    index_3d_3d<<<dim3(grid.x, grid.y, grid.z), dim3(kWidth, kHeight, kDepth), 0, stream>>>(
        a.out, static_cast<std::uint64_t>(a.n));
}
}  // namespace

LANEWORK_RUNG(
    index, 3d_3d,
    {
        .climbs_from = "3d_2d",
        .lesson = "Six indices reduce to one; for flat data a shape with more dimensions only adds arithmetic.",
        .launch = launch,
    });
