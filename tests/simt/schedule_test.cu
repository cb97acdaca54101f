// Schedules: the natural order, seeded orders that show races and come again, and threads that wait by spinning.
#include <set>

#include "tests/simt/engine_grid.hpp"

namespace {

__global__ void log_order(int* log, int* position) {
    log[atomicAdd(position, 1)] = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

std::vector<int> order_of_threads(std::uint64_t seed) {
    set_schedule(seed);
    std::vector<int> log(8 * 64);
    int position = 0;
    log_order<<<8, 64>>>(log.data(), &position);
    return log;
}

TEST_F(Engine, StartsThreadsInOrderUnlessASeedIsSet) {
    set_worker_count(1);
    std::vector<int> natural(8 * 64);
    for (int i = 0; i < std::ssize(natural); ++i) natural[i] = i;
    EXPECT_EQ(order_of_threads(0), natural);
    const std::vector<int> drawn = order_of_threads(7);
    EXPECT_NE(drawn, natural);
    EXPECT_NE(drawn, order_of_threads(8));
    EXPECT_EQ(drawn, order_of_threads(7)) << "a seed gives the same order again";
    EXPECT_EQ(std::set<int>(drawn.begin(), drawn.end()).size(), drawn.size());
}

__global__ void add_without_atomics(int* sum) { *sum += 1; }

int racing_sum(std::uint64_t seed) {
    set_schedule(seed);
    int sum = 0;
    add_without_atomics<<<4, 64>>>(&sum);
    return sum;
}

TEST_F(Engine, LosesUpdatesOfARaceUnderASeed) {
    set_worker_count(1);
    EXPECT_EQ(racing_sum(0), 256);
    const int sum = racing_sum(5);
    EXPECT_LT(sum, 256);
    EXPECT_GT(sum, 0);
    EXPECT_EQ(sum, racing_sum(5));
}

__global__ void forget_the_barrier(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 1;
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

TEST_F(Engine, ShowsAMissingBarrierUnderASeed) {
    set_schedule(1);
    std::vector<int> out(64);
    forget_the_barrier<<<1, 64>>>(out.data());
    EXPECT_NE(out, std::vector<int>(64, 1));
    for (const int value : out) EXPECT_TRUE(value == 1 || value == 0x7f7f7f7f);
}

__global__ void lock_and_add(int* lock, int* sum) {
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            const int before = *sum;
            __nanosleep(10);
            *sum = before + 1;
            atomicExch(lock, 0);
            done = true;
        }
    }
}

TEST_F(Engine, LetsASpinLockComeFree) {
    for (const std::uint64_t seed : {0, 4}) {
        set_schedule(seed);
        int lock = 0, sum = 0;
        lock_and_add<<<4, 64>>>(&lock, &sum);
        ASSERT_EQ(failure(), cudaSuccess) << detail;
        EXPECT_EQ(sum, 256);
    }
}

__global__ void wait_for_a_flag(volatile int* flag, int* out) {
    if (threadIdx.x == 31) {
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
    }
    atomicAdd(out, 1);
}

TEST_F(Engine, LetsThreadsWaitForAVolatileFlag) {
    int flag = 0, out = 0;
    wait_for_a_flag<<<1, 32>>>(&flag, &out);
    ASSERT_EQ(failure(), cudaSuccess) << detail;
    EXPECT_EQ(out, 32);
}

/// A barrier of the whole grid: blocks wait for blocks that start after them.
__global__ void meet_as_a_grid(int* arrived, int* out) {
    atomicAdd(arrived, 1);
    const int all = static_cast<int>(gridDim.x * blockDim.x);
    while (atomicAdd(arrived, 0) < all) {
    }
    atomicAdd(out, 1);
}

TEST_F(Engine, LetsBlocksWaitForLaterBlocks) {
    int arrived = 0, out = 0;
    meet_as_a_grid<<<40, 4>>>(&arrived, &out);
    ASSERT_EQ(failure(), cudaSuccess) << detail;
    EXPECT_EQ(out, 160);
}

}  // namespace
