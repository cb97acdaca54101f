// A row of blocks, each a rectangle of threads: flatten the block first, x fastest, then count whole blocks.
#include "ops/index/operation.hpp"
#include "ops/index/shape.hpp"

namespace {
constexpr int kWidth = 32, kHeight = 8;

__global__ void index_1d_2d(std::uint64_t* out, std::uint64_t n) {
    const std::uint64_t block = blockIdx.x;
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    const std::uint64_t i = block * threads + thread;
    if (i < n) out[i] = i;
}

void launch(const IndexArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const GridShape grid = line_of_blocks(ceil_div(a.n, kWidth * kHeight));
    index_1d_2d<<<dim3(grid.x, grid.y, grid.z), dim3(kWidth, kHeight), 0, stream>>>(a.out,
                                                                                    static_cast<std::uint64_t>(a.n));
}
}  // namespace

LANEWORK_RUNG(index, 1d_2d,
              {
                  .climbs_from = "1d_1d",
                  .lesson = "Inside a block x runs fastest: a warp is 32 threads in a row, then the next row.",
                  .launch = launch,
                  .refuses = [](const Problem& p) { return line_refusal(p.lengths<IndexAxes>().n, kWidth * kHeight); },
              });
