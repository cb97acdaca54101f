// Warp operations against models in plain C++, and what they say about lanes that do not come.
#include <bit>

#include "tests/simt/engine_grid.hpp"

namespace {

template <class T>
__global__ void shuffle_all(T* out, int argument, int width) {
    const int n = blockDim.x, i = threadIdx.x;
    const T value = static_cast<T>(i * 3 + 1);
    out[i] = __shfl_sync(0xffffffffu, value, argument, width);
    out[n + i] = __shfl_up_sync(0xffffffffu, value, argument, width);
    out[2 * n + i] = __shfl_down_sync(0xffffffffu, value, argument, width);
    out[3 * n + i] = __shfl_xor_sync(0xffffffffu, value, argument, width);
}

template <class T>
void expect_shuffles(int argument, int width) {
    constexpr int kThreads = 64;
    std::vector<T> out(4 * kThreads);
    shuffle_all<T><<<1, kThreads>>>(out.data(), argument, width);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess) << failure_detail();
    for (int i = 0; i < kThreads; ++i) {
        const int group = i / width * width, inside = i % width, warp = i / 32 * 32;
        const int by_xor = warp + ((i % 32) ^ argument);
        const int from[] = {group + argument % width, inside >= argument ? i - argument : i,
                            inside + argument < width ? i + argument : i, by_xor < group + width ? by_xor : i};
        for (int kind = 0; kind < 4; ++kind) {
            ASSERT_EQ(out[kind * kThreads + i], static_cast<T>(from[kind] * 3 + 1))
                << "kind " << kind << ", lane " << i << ", argument " << argument << ", width " << width;
        }
    }
}

TEST_F(Engine, ShufflesEveryTypeAndWidth) {
    for (const int width : {32, 16, 8, 4, 2, 1}) {
        for (const int argument : {0, 1, 2, 5, 16, 31}) {
            expect_shuffles<int>(argument, width);
            expect_shuffles<double>(argument, width);
        }
    }
    expect_shuffles<float>(3, 32);
    expect_shuffles<unsigned>(3, 32);
    expect_shuffles<long>(3, 32);
    expect_shuffles<unsigned long long>(3, 16);
}

__global__ void vote_and_match(unsigned* out) {
    const unsigned i = threadIdx.x, even = 0x55555555u;
    const unsigned mask = i % 2 == 0 ? even : ~even;
    int equal = 0;
    unsigned* const mine = out + i * 8;
    mine[0] = __ballot_sync(mask, i % 3 == 0);
    mine[1] = __any_sync(mask, i == 2);
    mine[2] = __all_sync(mask, i % 2 == 0);
    mine[3] = __match_any_sync(0xffffffffu, i / 5);
    mine[4] = __match_all_sync(mask, i % 2, &equal);
    mine[5] = static_cast<unsigned>(equal);
    mine[6] = __match_all_sync(0xffffffffu, 1.5 * (i == 9), &equal);
    mine[7] = static_cast<unsigned>(equal);
}

TEST_F(Engine, VotesAndMatchesWithinTheMask) {
    for (const std::uint64_t seed : {0, 3}) {
        set_schedule(seed);
        std::vector<unsigned> out(32 * 8);
        vote_and_match<<<1, 32>>>(out.data());
        ASSERT_EQ(failure(), cudaSuccess) << detail;
        unsigned thirds = 0;
        for (unsigned i = 0; i < 32; i += 3) thirds |= 1u << i;
        for (unsigned i = 0; i < 32; ++i) {
            const unsigned mask = i % 2 == 0 ? 0x55555555u : 0xaaaaaaaau;
            unsigned fives = 0;
            for (unsigned j = 0; j < 32; ++j) fives |= unsigned{j / 5 == i / 5} << j;
            const std::vector<unsigned> expected = {thirds & mask, i % 2 == 0, i % 2 == 0, fives, mask, 1, 0, 0};
            EXPECT_EQ(std::vector<unsigned>(&out[i * 8], &out[i * 8] + 8), expected) << "lane " << i;
        }
    }
}

__global__ void reduce_lanes(int* out) {
    const int value = static_cast<int>(threadIdx.x) - 20;
    const unsigned bits = threadIdx.x | 64u;
    int* const mine = out + threadIdx.x * 8;
    mine[0] = __reduce_add_sync(0xffffffffu, value);
    mine[1] = __reduce_min_sync(0xffffffffu, value);
    mine[2] = __reduce_max_sync(0xffffffffu, value);
    mine[3] = static_cast<int>(__reduce_min_sync(0xffffffffu, static_cast<unsigned>(value)));
    mine[4] = static_cast<int>(__reduce_max_sync(0xffffffffu, static_cast<unsigned>(value)));
    mine[5] = static_cast<int>(__reduce_and_sync(0xffffffffu, bits));
    mine[6] = static_cast<int>(__reduce_or_sync(0xffffffffu, bits));
    mine[7] = static_cast<int>(__reduce_xor_sync(0xffffffffu, bits));
}

TEST_F(Engine, ReducesOverLanes) {
    std::vector<int> out(32 * 8);
    reduce_lanes<<<1, 32>>>(out.data());
    ASSERT_EQ(failure(), cudaSuccess) << detail;
    for (int lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(std::vector<int>(&out[lane * 8], &out[lane * 8] + 8),
                  (std::vector<int>{-144, -20, 11, 0, -1, 64, 95, 0}));
    }
}

constexpr int kShuffleLine = __LINE__ + 3;
__global__ void shuffle_after_leaving(int* out) {
    if (threadIdx.x == 35) return;
    out[threadIdx.x] = __shfl_down_sync(0xffffffffu, static_cast<int>(threadIdx.x), 1);
}

TEST_F(Engine, NamesALaneThatLeftBeforeAShuffle) {
    std::vector<int> out(64);
    shuffle_after_leaving<<<1, 64>>>(out.data());
    EXPECT_EQ(failure(), cudaErrorLaunchTimeout);
    EXPECT_TRUE(
        detail_has("lane 3 (thread (35,0,0) of block (0,0,0)) named by mask 0xffffffff in __shfl_down_sync at "));
    EXPECT_TRUE(detail_has("warp_test.cu:" + std::to_string(kShuffleLine) + " has left the kernel"));
    EXPECT_EQ(out[30], 31) << "the other warp is not held up";
}

__global__ void vote_after_leaving(unsigned* out) {
    if (threadIdx.x >= 20) return;
    __syncwarp();
    out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
}

TEST_F(Engine, DoesNotWaitForLeftLanesInVotes) {
    for (const std::uint64_t seed : {0, 1, 2, 3}) {
        set_schedule(seed);
        std::vector<unsigned> out(32);
        vote_after_leaving<<<1, 32>>>(out.data());
        ASSERT_EQ(failure(), cudaSuccess) << detail;
        EXPECT_EQ(out[0], 0xfffffu);
        EXPECT_EQ(out[19], 0xfffffu);
    }
}

__global__ void sum_partial_warp(int* out) {
    int value = 1;
    for (int step = 1; step < 8; step *= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
    out[threadIdx.x] = value;
}

TEST_F(Engine, DoesNotWaitForLanesThatABlockNeverHad) {
    std::vector<int> out(40);
    sum_partial_warp<<<1, 40>>>(out.data());
    ASSERT_EQ(failure(), cudaSuccess) << detail;
    EXPECT_EQ(out, std::vector<int>(40, 8));
}

__global__ void name_others_only() { __syncwarp(threadIdx.x == 4 ? 0x0fu : 0x0fu); }

TEST_F(Engine, NamesALaneThatItsMaskLacks) {
    name_others_only<<<1, 5>>>();
    EXPECT_EQ(failure(), cudaErrorIllegalInstruction);
    EXPECT_TRUE(detail_has("lane 4 (thread (4,0,0) of block (0,0,0)) calls __syncwarp"));
    EXPECT_TRUE(detail_has("mask 0x0000000f"));
}

__global__ void disagree_on_mask(int* out) {
    const unsigned mask = threadIdx.x < 16 ? 0xffffffffu : 0xffff0000u;
    out[threadIdx.x] = __shfl_sync(mask, 1, 16);
    __syncwarp();
}

TEST_F(Engine, NamesMasksThatDisagree) {
    std::vector<int> out(32);
    disagree_on_mask<<<1, 32>>>(out.data());
    EXPECT_EQ(failure(), cudaErrorLaunchTimeout);
    EXPECT_TRUE(detail_has("lane "));
    EXPECT_TRUE(detail_has("named by mask 0xffffffff"));
    EXPECT_TRUE(detail_has("waits at __"));
}

__global__ void active_lanes(unsigned* out) {
    unsigned mask = 0;
    __syncthreads();
    if (threadIdx.x % 4 == 1) {
        mask = __activemask();
        mask += __popc(mask) == 8 ? 0 : 1;
        __syncwarp(mask);
    }
    __syncwarp();
    out[threadIdx.x] = mask;
}

TEST_F(Engine, FindsTheLanesThatTookTheSameWay) {
    for (const std::uint64_t seed : {0, 1, 2}) {
        set_schedule(seed);
        std::vector<unsigned> out(32);
        active_lanes<<<1, 32>>>(out.data());
        ASSERT_EQ(failure(), cudaSuccess) << detail;
        for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 4 == 1 ? 0x22222222u : 0u);
    }
}

}  // namespace
