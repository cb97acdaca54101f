// Occupancy against what NVIDIA says: its documents, its runtime on a GPU, and its calculator where the toolkit is
// here.
#include "src/gpu/occupancy.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <lanework/error.hpp>

#include "tests/gpu/occupancy_grid.hpp"
#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#endif

namespace lanework {
namespace {

const Capability& sm(int number) { return *find_capability(number); }

Occupancy at(int number, int threads, int registers, std::int64_t shared = 0) {
    return occupancy(sm(number),
                     {.threads_per_block = threads, .registers_per_thread = registers, .dynamic_shared = shared});
}

TEST(Occupancy, CountsWholeWarps) {
    EXPECT_EQ(at(90, 31, 0).warps_per_block, 1);
    EXPECT_EQ(at(90, 32, 0).warps_per_block, 1);
    EXPECT_EQ(at(90, 33, 0).warps_per_block, 2);
    EXPECT_EQ(at(90, 33, 0).warps, 64);
    EXPECT_EQ(at(90, 32, 0).warps, 32);  // 32 blocks of one warp, and no more blocks
}

// CUDA C++ Best Practices Guide, "Calculating Occupancy": 65536 registers and 64 warps per SM, as on 8.0 and 9.0.
TEST(Occupancy, MatchesTheExamplesOfTheBestPracticesGuide) {
    for (const int number : {80, 90, 100}) {
        EXPECT_EQ(at(number, 128, 37).blocks, 12);
        EXPECT_DOUBLE_EQ(at(number, 128, 37).fraction, 0.75);
        EXPECT_EQ(at(number, 320, 37).blocks, 4);
        EXPECT_DOUBLE_EQ(at(number, 320, 37).fraction, 0.625);
        EXPECT_DOUBLE_EQ(at(number, 1024, 32).fraction, 1);
        EXPECT_LT(at(number, 1024, 33).fraction, 1);
    }
}

// CUDA C++ Programming Guide, "Multiprocessor Level": one register more, and one block instead of two.
TEST(Occupancy, LosesABlockToOneRegister) {
    EXPECT_EQ(at(90, 512, 64).blocks, 2);
    EXPECT_EQ(at(90, 512, 65).blocks, 1);
}

// Each by hand: floor(limit ÷ need), where the need is rounded up first.
TEST(Occupancy, KeepsTheLimitsOfEachCapability) {
    EXPECT_EQ(at(75, 1024, 0).warps, 32);
    EXPECT_EQ(at(75, 32, 0).blocks, 16);
    EXPECT_EQ(at(75, 32, 0, 4097).blocks, 65536 / 4352);
    EXPECT_EQ(at(75, 32, 0, 65536).blocks, 1);
    EXPECT_EQ(at(86, 1024, 0).warps, 32);  // a second block of 32 warps would need 64 of 48
    EXPECT_EQ(at(86, 256, 0).warps, 48);
    EXPECT_EQ(at(86, 32, 0).blocks, 16);
    EXPECT_EQ(at(89, 32, 0).blocks, 24);
    EXPECT_EQ(at(120, 32, 0).blocks, 24);
    EXPECT_EQ(at(120, 64, 0).warps, 48);
    EXPECT_EQ(at(90, 128, 0, 40000).blocks, 5);  // 233472 ÷ 41088
    EXPECT_EQ(at(90, 32, 0, 232448).blocks, 1);  // 227 KiB, and 1 KiB for the driver
    EXPECT_EQ(at(80, 32, 0, 166912).blocks, 1);  // 163 KiB
    EXPECT_EQ(at(86, 32, 0, 101376).blocks, 1);  // 99 KiB
    EXPECT_EQ(at(90, 256, 40, 8192).blocks, 6);  // 51 warps in registers ÷ 8
    EXPECT_EQ(at(90, 256, 40, 8192).warps, 48);
}

TEST(Occupancy, NamesEveryLimiter) {
    EXPECT_EQ(limiters(at(90, 32, 0)), std::vector{Limiter::blocks});
    EXPECT_EQ(limiters(at(90, 256, 40, 8192)), std::vector{Limiter::registers});
    EXPECT_EQ(limiters(at(90, 128, 32, 40000)), std::vector{Limiter::shared_memory});
    EXPECT_EQ(limiters(at(90, 256, 32)), (std::vector{Limiter::warps, Limiter::registers}));
    EXPECT_EQ(limiters(at(90, 64, 32)), (std::vector{Limiter::warps, Limiter::blocks, Limiter::registers}));
    const Occupancy barriers = occupancy(sm(90), {.threads_per_block = 64, .barriers = 16});
    EXPECT_EQ(limiters(barriers), std::vector{Limiter::barriers});
    EXPECT_EQ(barriers.blocks, 4);
    EXPECT_EQ(describe_limit(sm(90), {}, at(90, 64, 32)), "warps, blocks and registers");
}

TEST(Occupancy, SaysWhyALaunchIsImpossible) {
    const auto why = [](const KernelResources& kernel) {
        const Occupancy result = occupancy(sm(90), kernel);
        EXPECT_EQ(result.blocks, 0);
        EXPECT_TRUE(limiters(result).empty());
        return describe_limit(sm(90), kernel, result);
    };
    EXPECT_EQ(why({.threads_per_block = 1025}), "1025 threads per block: at most 1024 are possible");
    EXPECT_EQ(why({.registers_per_thread = 256}), "256 registers per thread: at most 255 are possible");
    EXPECT_EQ(why({.threads_per_block = 1024, .registers_per_thread = 65}),
              "65 registers per thread for 1024 threads take 73728 registers: a block has at most 65536");
    EXPECT_EQ(why({.static_shared = 1, .dynamic_shared = 232448}),
              "232449 bytes of shared memory per block: at most 232448 are possible");
    EXPECT_EQ(why({.dynamic_shared = 49153, .dynamic_limit = 49152}),
              "49153 bytes of dynamic shared memory: the kernel was allowed 49152 (cudaFuncSetAttribute)");
}

// 25 warps of 2560 registers would fit into 65536, but a launch is checked as though there were 28.
TEST(Occupancy, ChecksABlocksRegistersInWholePartitions) {
    EXPECT_EQ(at(90, 24 * 32, 80).blocks, 1);
    EXPECT_EQ(at(90, 25 * 32, 80).impossible, Impossible::registers_per_block);
}

TEST(Occupancy, FollowsTheCarveoutUnlessABlockNeedsMore) {
    const auto blocks = [](int carveout, std::int64_t shared) {
        return occupancy(sm(90), {.threads_per_block = 128, .dynamic_shared = shared, .carveout = carveout}).blocks;
    };
    EXPECT_EQ(blocks(50, 40000), 3);  // as recorded on an H200: 132 KiB of 228 hold 3
    EXPECT_EQ(blocks(0, 40000), 1);   // 64 KiB hold one
    EXPECT_EQ(blocks(100, 40000), 5);
    EXPECT_EQ(blocks(KernelResources::kDefaultCarveout, 40000), 5);
}

TEST(Occupancy, CurveHasEveryWholeNumberOfWarps) {
    const auto curve = occupancy_curve(sm(90), {.registers_per_thread = 40});
    ASSERT_EQ(curve.size(), 32u);
    EXPECT_EQ(curve.front().threads_per_block, 32);
    EXPECT_EQ(curve.back().threads_per_block, 1024);
    EXPECT_EQ(curve[7].occupancy.blocks, at(90, 256, 40).blocks);
}

// The figures that it names are the most that suffice: one more would not.
TEST(Occupancy, FindsWhatOneMoreBlockNeeds) {
    const KernelResources kernel{.threads_per_block = 256, .registers_per_thread = 40, .static_shared = 8192};
    const auto more = one_more_block(sm(90), kernel);
    ASSERT_TRUE(more);
    EXPECT_EQ(more->registers_per_thread, 32);  // warps come in fours, so that a seventh block brings an eighth
    EXPECT_EQ(more->then.blocks, 8);
    EXPECT_EQ(more->shared, 8192);
    EXPECT_EQ(at(90, 256, more->registers_per_thread + 1, 8192).blocks, 6);

    const auto shared = one_more_block(sm(90), {.threads_per_block = 128, .static_shared = 40000});
    ASSERT_TRUE(shared);
    EXPECT_EQ(shared->shared, 228 * 1024 / 6 - 1024);
    EXPECT_EQ(at(90, 128, 0, shared->shared).blocks, 6);
    EXPECT_EQ(at(90, 128, 0, shared->shared + 1).blocks, 5);
    EXPECT_FALSE(one_more_block(sm(90), {.threads_per_block = 32}));  // an SM takes no more blocks
}

TEST(Occupancy, PrefersTheNearestBlockSizeThatHoldsMore) {
    EXPECT_EQ(better_block_size(sm(90), {.threads_per_block = 256}), 256);
    EXPECT_EQ(better_block_size(sm(90), {.threads_per_block = 32}), 128);
    EXPECT_EQ(better_block_size(sm(86), {.threads_per_block = 1024}), 768);
    EXPECT_EQ(better_block_size(sm(90), {.threads_per_block = 320, .registers_per_thread = 37}), 256);
}

TEST(Capabilities, AreConsistent) {
    int previous = 0;
    for (const Capability& each : capabilities()) {
        EXPECT_GT(each.number, previous);
        previous = each.number;
        EXPECT_EQ(each.shared_per_sm, each.shared_partitions.back());
        EXPECT_EQ(each.shared_per_sm - each.shared_reserved, each.shared_per_block);
        EXPECT_LE(each.blocks_per_sm, each.warps_per_sm);
        EXPECT_EQ(each.registers_per_sm % (each.partitions * each.register_granule), 0);
    }
    for (const int number : {75, 80, 86, 87, 89, 90, 100, 103, 120}) EXPECT_TRUE(find_capability(number)) << number;
}

TEST(Capabilities, AreReadInEverySpelling) {
    for (const char* text : {"90", "9.0", "sm_90", "90a", "sm_90a", "compute_90"})
        EXPECT_EQ(parse_capability(text).number, 90) << text;
    EXPECT_EQ(parse_capability("12.0").number, 120);
    for (const char* text : {"", "9", "9.00", ".90", "90x", "hopper", "70", "sm_", "9.a", "-90", "999999999999"})
        EXPECT_THROW(parse_capability(text), UsageError) << text;
}

#if __has_include("tests/gpu/occupancy_recorded.inc")
constexpr occupancy_grid::Row kRecorded[] = {
#include "tests/gpu/occupancy_recorded.inc"
};

TEST(Occupancy, EqualsWhatGpusAnswer) {
    int compared = 0;
    for (const occupancy_grid::Row& row : kRecorded) {
        ASSERT_EQ(std::strlen(row.blocks), occupancy_grid::kLaunches);
        const char* next = row.blocks;
        occupancy_grid::for_each_launch([&](int threads, int dynamic) {
            const Occupancy ours = occupancy(sm(row.capability), {.threads_per_block = threads,
                                                                  .registers_per_thread = row.registers,
                                                                  .static_shared = row.static_shared,
                                                                  .dynamic_shared = dynamic,
                                                                  .dynamic_limit = row.dynamic_limit,
                                                                  .barriers = row.barriers,
                                                                  .carveout = row.carveout});
            const char answer = *next++;
            const int blocks = answer <= '9' ? answer - '0' : answer - 'a' + 10;
            EXPECT_EQ(ours.blocks, blocks)
                << threads << " threads, " << row.registers << " registers, " << row.static_shared << " + " << dynamic
                << " bytes, limit " << row.dynamic_limit << ", carve-out " << row.carveout << ", " << row.barriers
                << " barriers: " << answer;
            ++compared;
        });
    }
    EXPECT_GT(compared, 1000);
}
#endif

#if __has_include(<cuda_occupancy.h>)
// The toolkit's own calculator covers capabilities of which there is no GPU here.
cudaOccDeviceProp properties_of(const Capability& known) {
    cudaOccDeviceProp device;
    device.computeMajor = known.number / 10;
    device.computeMinor = known.number % 10;
    device.maxThreadsPerBlock = known.threads_per_block;
    device.maxThreadsPerMultiprocessor = known.threads_per_sm();
    device.regsPerBlock = known.registers_per_block;
    device.regsPerMultiprocessor = known.registers_per_sm;
    device.warpSize = known.warp_size;
    device.sharedMemPerBlock = static_cast<std::size_t>(known.shared_per_block_default);
    device.sharedMemPerMultiprocessor = static_cast<std::size_t>(known.shared_per_sm);
    device.numSms = 1;
    device.sharedMemPerBlockOptin = static_cast<std::size_t>(known.shared_per_block);
    device.reservedSharedMemPerBlock = static_cast<std::size_t>(known.shared_reserved);
    return device;
}

int calculated(const Capability& known, const KernelResources& kernel) {
    const cudaOccDeviceProp device = properties_of(known);
    cudaOccFuncAttributes attributes;
    attributes.maxThreadsPerBlock = known.threads_per_block;
    attributes.numRegs = kernel.registers_per_thread;
    attributes.sharedSizeBytes = static_cast<std::size_t>(kernel.static_shared);
    attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    attributes.maxDynamicSharedSizeBytes = static_cast<std::size_t>(kernel.dynamic_limit);
    attributes.numBlockBarriers = kernel.barriers;
    cudaOccDeviceState state;
    state.carveoutConfig = kernel.carveout;
    cudaOccResult result{};
    const cudaOccError error =
        cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &attributes, &state, kernel.threads_per_block,
                                                static_cast<std::size_t>(kernel.dynamic_shared));
    return error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1;
}

TEST(Occupancy, EqualsTheToolkitsCalculatorOnEveryCapability) {
    for (const Capability& known : capabilities())
        for (int registers = 0; registers <= 255; registers += 5)
            for (const int carveout : {-1, 0, 33, 50, 100})
                for (const int barriers : {0, 1, 5, 16})
                    occupancy_grid::for_each_launch([&](int threads, int dynamic) {
                        const KernelResources kernel{.threads_per_block = threads,
                                                     .registers_per_thread = registers,
                                                     .static_shared = registers * 16,
                                                     .dynamic_shared = dynamic,
                                                     .dynamic_limit = known.shared_per_block,
                                                     .barriers = barriers,
                                                     .carveout = carveout};
                        EXPECT_EQ(occupancy(known, kernel).blocks, calculated(known, kernel))
                            << known.number << ": " << threads << " threads, " << registers << " registers, " << dynamic
                            << " bytes, carve-out " << carveout << ", " << barriers << " barriers";
                    });
}
#endif

}  // namespace
}  // namespace lanework
