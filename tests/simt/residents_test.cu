// Kernels whose blocks wait for each other: a grid of as many blocks as the GPU holds at once must get to its end,
// however few OS threads there are, as it does on that GPU.
#include "tests/simt/engine_grid.hpp"

namespace {

/// What grids do that were sized to be resident together: every block waits until all have come.
__global__ void meet(unsigned* arrived, unsigned* sum) {
    __shared__ unsigned seen;
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1U);
        unsigned come = 0;
        do come = *static_cast<volatile unsigned*>(arrived);
        while (come < gridDim.x);
        seen = come;
    }
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) atomicAdd(sum, seen);
}

TEST_F(Engine, BlocksThatTheGpuHoldsAtOnceMayWaitForEachOther) {
    constexpr int kThreads = 256;
    int device = 0, processors = 0, each = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, meet, kThreads, 0);
    const auto blocks = static_cast<unsigned>(processors * each);
    ASSERT_EQ(blocks, 132u * 8);
    std::vector<unsigned> counts(2);
    meet<<<blocks, kThreads>>>(&counts[0], &counts[1]);
    ASSERT_EQ(failure(), cudaSuccess) << detail;
    EXPECT_EQ(counts[0], blocks);
    EXPECT_EQ(counts[1], blocks * blocks);
}

}  // namespace
