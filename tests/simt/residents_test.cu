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
    constexpr int kThreads = 64, kEach = 8;  // blocks on a multiprocessor
    int processors = 0, most = 0;
    ASSERT_EQ(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, meet, kThreads, 0), cudaSuccess);
    ASSERT_GE(most, kEach);
    const auto blocks = static_cast<unsigned>(processors * kEach);
    ASSERT_EQ(blocks, 1056u);
    for (const std::uint64_t seed : {0U, 7U}) {
        set_schedule(seed);
        std::vector<unsigned> counts(2);
        meet<<<blocks, kThreads>>>(&counts[0], &counts[1]);
        ASSERT_EQ(failure(), cudaSuccess) << detail;
        EXPECT_EQ(counts[0], blocks);
        EXPECT_EQ(counts[1], blocks * blocks);
    }
}

}  // namespace
