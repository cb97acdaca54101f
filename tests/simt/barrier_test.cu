// Barriers: what they order, what they count, and what they say about threads that do not come.
#include "tests/simt/engine_grid.hpp"

namespace {

__global__ void rotate(int* data, int rounds) {
    extern __shared__ int ring[];
    const int n = blockDim.x, i = threadIdx.x;
    ring[i] = data[blockIdx.x * n + i];
    for (int round = 0; round < rounds; ++round) {
        __syncthreads();
        const int next = ring[(i + 1) % n];
        __syncthreads();
        ring[i] = next;
    }
    data[blockIdx.x * n + i] = ring[i];
}

TEST_F(Engine, OrdersAccessesByBarriers) {
    for (const std::uint64_t seed : {0, 1, 2}) {
        set_schedule(seed);
        for (const int threads : {1, 31, 33, 256, 1024}) {
            std::vector<int> data(6 * threads);
            for (int i = 0; i < std::ssize(data); ++i) data[i] = i;
            rotate<<<6, threads, threads * sizeof(int)>>>(data.data(), 7);
            ASSERT_EQ(failure(), cudaSuccess) << detail;
            for (int i = 0; i < std::ssize(data); ++i) {
                ASSERT_EQ(data[i], i / threads * threads + (i % threads + 7) % threads);
            }
        }
    }
}

__global__ void count_votes(int* out) {
    const int i = threadIdx.x;
    const int multiples = __syncthreads_count(i % 3 == 0);
    const int all = __syncthreads_and(i >= 0), not_all = __syncthreads_and(i != 7);
    const int any = __syncthreads_or(i == 99), none = __syncthreads_or(i < 0);
    out[i] = multiples * 10000 + (all != 0) * 1000 + (not_all != 0) * 100 + (any != 0) * 10 + (none != 0);
}

TEST_F(Engine, CountsPredicatesAtBarriers) {
    std::vector<int> out(100);
    count_votes<<<1, 100>>>(out.data());
    EXPECT_EQ(out, std::vector<int>(100, 34 * 10000 + 1000 + 10));
}

constexpr int kEarlyLine = __LINE__ + 3;
__global__ void leave_early(int leaving) {
    if (static_cast<int>(threadIdx.x) >= 256 - leaving) return;
    __syncthreads();
}

TEST_F(Engine, NamesThreadsThatLeftBeforeABarrier) {
    leave_early<<<5, 256>>>(1);
    EXPECT_EQ(failure(), cudaErrorLaunchTimeout);
    EXPECT_TRUE(detail_has("leave_early: 255 of 256 threads of block ("));
    EXPECT_TRUE(detail_has("wait at __syncthreads() at "));
    EXPECT_TRUE(detail_has("barrier_test.cu:" + std::to_string(kEarlyLine)));
    EXPECT_TRUE(detail_has("but thread (255,0,0) has left the kernel"));
    clear_for_reset();
    leave_early<<<5, 256>>>(16);
    EXPECT_EQ(failure(), cudaErrorLaunchTimeout);
    EXPECT_TRUE(detail_has("threads (240,0,0), (241,0,0), (242,0,0) and 13 others have left the kernel"));
    clear_for_reset();
    leave_early<<<5, 256>>>(0);
    EXPECT_EQ(failure(), cudaSuccess);
}

constexpr int kEvenLine = __LINE__ + 4, kOddLine = kEvenLine + 2;
__global__ void meet_in_two_places() {
    if (threadIdx.x % 2 == 0) {
        // Even threads here,
        __syncthreads();
    } else {
        __syncthreads();
    }
}

TEST_F(Engine, NamesBothPlacesOfADivergentBarrier) {
    meet_in_two_places<<<1, 64>>>();
    EXPECT_EQ(failure(), cudaErrorLaunchFailure);
    EXPECT_TRUE(detail_has("barrier_test.cu:" + std::to_string(kEvenLine)));
    EXPECT_TRUE(detail_has("barrier_test.cu:" + std::to_string(kOddLine)));
    EXPECT_TRUE(detail_has("thread (1,0,0) of block (0,0,0)"));
}

__global__ void produce_and_consume(int* out) {
    __shared__ int item;
    const bool producer = threadIdx.x < 32;
    for (int i = 0; i < 5; ++i) {
        if (producer) {
            if (threadIdx.x == 0) item = i * i;
            __barrier_sync_count(1, 64);
            __barrier_sync_count(2, 64);
        } else {
            __barrier_sync_count(1, 64);
            out[threadIdx.x - 32] += item;
            __barrier_sync_count(2, 64);
        }
    }
}

TEST_F(Engine, LetsPartsOfABlockMeetAtNamedBarriers) {
    std::vector<int> out(32);
    produce_and_consume<<<1, 64>>>(out.data());
    ASSERT_EQ(failure(), cudaSuccess) << detail;
    EXPECT_EQ(out, std::vector<int>(32, 0 + 1 + 4 + 9 + 16));
}

__global__ void wait_apart() {
    if (threadIdx.x == 3) {
        __barrier_sync(5);
    } else {
        __syncthreads();
    }
}

TEST_F(Engine, NamesAThreadThatWaitsAtAnotherBarrier) {
    wait_apart<<<1, 8>>>();
    EXPECT_EQ(failure(), cudaErrorLaunchTimeout);
    EXPECT_TRUE(detail_has("7 of 8 threads of block (0,0,0) wait at __syncthreads()"));
    EXPECT_TRUE(detail_has("but thread (3,0,0) waits at __barrier_sync() at "));
}

}  // namespace
