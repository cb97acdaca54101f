// One row of blocks, one row of threads: the index that nearly every kernel begins with.
#include "ops/index/operation.hpp"
#include "ops/index/shape.hpp"

namespace {
constexpr int kThreads = 256;

__global__ void index_1d_1d(std::uint64_t* out, std::uint64_t n) {
    const std::uint64_t block = blockIdx.x;
    const unsigned thread = threadIdx.x, threads = blockDim.x;
    const std::uint64_t i = block * threads + thread;
    if (i < n) out[i] = i;
}

void launch(const IndexArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const GridShape grid = line_of_blocks(ceil_div(a.n, kThreads));
    index_1d_1d<<<dim3(grid.x, grid.y, grid.z), dim3(kThreads), 0, stream>>>(a.out, static_cast<std::uint64_t>(a.n));
}
}  // namespace

LANEWORK_RUNG(
    index, 1d_1d,
    {
        .lesson = "Index = block × threads per block + thread, in 64 bits: 32 overflow at four billion threads.",
        .launch = launch,
        .refuses = [](const Problem& p) { return line_refusal(p.lengths<IndexAxes>().n, kThreads); },
    });
