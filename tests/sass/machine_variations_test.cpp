// Executing machine code in orders, and with last places, that a GPU might have had instead.
#include "src/gpu/sass/execution.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "src/gpu/sass/instructions.hpp"
#include "tests/sass/written_kernels.hpp"

namespace lanework {
namespace {

/// What a thread leaves in memory when this code stores R4.
float result_of(std::vector<std::string> code, MachineVariation variation) {
    std::vector<float> out(1, -1);
    SharedMemoryWorld world;
    code.insert(code.end(), {"STG.E desc[UR4][R2.64], R4", "EXIT"});
    MachineLaunch launch;
    launch.variation = variation;
    EXPECT_TRUE(execute(kernel_of(with_address(world.show(out), code)), launch, world).complete());
    return out[0];
}

TEST(MachineExecution, VariesTheLastPlacesOfWhatAGpuApproximatesAndOfSumsThatMayNotBeFused) {
    const std::vector<std::string> power = {"MOV R5, 0x3f9d70a4", "MUFU.EX2 R4, R5"};
    const float settled = result_of(power, {});
    std::vector<float> powers, fused, unfused;
    // (1 + e)² - 1 - 2e with e = 2^-13: rounded before the sum nothing is left of e².
    const std::vector<std::string> square = {"MOV R5, 0x3f800400", "MOV R6, 0xbf800800", "FFMA R4, R5, R5, R6"};
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        powers.push_back(result_of(power, {.seed = seed}));
        EXPECT_NEAR(powers.back(), settled, settled * 0x1p-22) << seed;
        fused.push_back(result_of(square, {.seed = seed}));
        unfused.push_back(result_of(square, {.seed = seed, .unfused = 4}));
    }
    EXPECT_EQ(result_of(power, {}), settled);
    EXPECT_NE(std::ranges::max(powers), std::ranges::min(powers));
    EXPECT_EQ(std::ranges::max(fused), 0x1p-26f);
    EXPECT_EQ(std::ranges::min(fused), 0x1p-26f) << "a GPU's sum is this one, and no other";
    EXPECT_EQ(std::ranges::max(unfused), 0x1p-26f);
    EXPECT_EQ(std::ranges::min(unfused), 0);
}

TEST(MachineExecution, VariesTheOrderOfBlocks) {
    const auto last = [](std::uint64_t seed) {
        std::vector<int> out(1, -1);
        SharedMemoryWorld world;
        MachineLaunch launch;
        launch.grid = {8, 1, 1};
        launch.variation.seed = seed;
        const MachineKernel kernel =
            kernel_of(with_address(world.show(out), {"S2R R4, SR_CTAID.X", "STG.E desc[UR4][R2.64], R4", "EXIT"}));
        const MachineRun run = execute(kernel, launch, world);
        EXPECT_TRUE(run.complete()) << run.error;
        EXPECT_EQ(world.requests[kGlobal][kStore], 8u);
        return out[0];
    };
    EXPECT_EQ(last(0), 7);
    bool another = false;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) another = another || last(seed) != 7;
    EXPECT_TRUE(another);
}

/// Whether one of eight variations leaves something else than the same code without any.
bool varies(const std::vector<std::string>& code, MachineVariation variation = {}) {
    const std::vector<int> as_it_is = left_by(code, 1, 32, {});
    for (variation.seed = 1; variation.seed <= 8; ++variation.seed)
        if (left_by(code, 1, 32, variation) != as_it_is) return true;
    return false;
}

TEST(MachineExecution, VariesTheOrderOfTheLanesOfAnAtomic) {
    EXPECT_TRUE(varies({"S2R R4, SR_TID.X", "ATOMG.E.EXCH.STRONG.GPU PT, R0, desc[UR4][R2.64], R4"}));
    EXPECT_FALSE(varies({"S2R R4, SR_TID.X", "ATOMG.E.MAX.STRONG.GPU PT, R0, desc[UR4][R2.64], R4"}));
}

TEST(MachineExecution, VariesWhichLanesASpinningCompareAndSwapLetsPass) {
    // All lanes put 0 where 0 is: on an H100 some have to come again.
    const std::vector<std::string> count = {"ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT", "MOV R5, 0x1",
                                            "@P0 RED.E.ADD.STRONG.GPU desc[UR4][R2.64], R5"};
    const auto with = [&](const char* swap) {
        std::vector<std::string> code = {swap};
        code.insert(code.end(), count.begin(), count.end());
        return code;
    };
    const auto spinning = with("ATOMS.CAST.SPIN R6, [RZ], RZ, RZ");
    EXPECT_EQ(left_by(spinning, 1, 32, {})[0], 32);
    EXPECT_TRUE(varies(spinning));
    EXPECT_FALSE(varies(with("ATOMS.CAS R6, [RZ], RZ, RZ"))) << "which returns what was there";
}

TEST(MachineExecution, LetsAllWarpsGoInStep) {
    const std::vector<std::string> code = {"LDG.E R4, desc[UR4][R2.64]",
                                           "ISETP.NE.AND P0, PT, R4, RZ, PT",
                                           "@P0 EXIT",
                                           "MOV R5, 0x1",
                                           "STG.E desc[UR4][R2.64], R5",
                                           "RED.E.ADD.STRONG.GPU desc[UR4][R2.64+0x4], R5"};
    EXPECT_EQ(left_by(code, 64, 1, {})[1], 1) << "the first block comes before the others";
    EXPECT_EQ(left_by(code, 64, 1, {.seed = 1, .in_step = true})[1], 64);
}

TEST(MachineExecution, LetsOthersComeFirstWhereAWarpAsksForWhatTheyWrite) {
    // The first block waits for the second one, beside a warp that waits for its block's barrier.
    const auto asks = [](const std::string& load) {
        return std::vector<std::string>{"S2R R0, SR_CTAID.X",
                                        "ISETP.NE.AND P0, PT, R0, RZ, PT",
                                        "@P0 BRA `(.L_x_1)",
                                        "S2R R0, SR_TID.X",
                                        "ISETP.GE.AND P0, PT, R0, 0x20, PT",
                                        "@P0 BRA `(.L_x_2)",
                                        ".L_x_0:",
                                        load,
                                        "ISETP.EQ.AND P1, PT, R4, RZ, PT",
                                        "@P1 BRA `(.L_x_0)",
                                        ".L_x_2:",
                                        "BAR.SYNC.DEFER_BLOCKING 0x0",
                                        "EXIT",
                                        ".L_x_1:",
                                        "MOV R5, 0x1",
                                        "STG.E desc[UR4][R2.64], R5"};
    };
    const auto executed = [](std::vector<std::string> code) {
        std::vector<int> flag(2, 0);
        SharedMemoryWorld world;
        MachineLaunch launch;
        launch.grid = {2, 1, 1};
        launch.block = {64, 1, 1};
        code.emplace_back("EXIT");
        const MachineRun run = execute(kernel_of(with_address(world.show(flag), code)), launch, world);
        EXPECT_TRUE(run.complete()) << run.error;
        EXPECT_EQ(flag[0], 1);
        return run.executed;
    };
    EXPECT_LT(executed(asks("LDG.E.STRONG.GPU R4, desc[UR4][R2.64]")), 400u);
    EXPECT_GT(executed(asks("LDG.E R4, desc[UR4][R2.64]")), 10000u) << "which need not see what others write";
}

TEST(MachineExecution, WaitingIsNoWorkWhereBlocksBeginOneAfterTheOther) {
    // All blocks but the last one wait for it. On a GPU they are there together.
    const std::vector<std::string> code = {"S2R R0, SR_CTAID.X",
                                           "ISETP.EQ.AND P0, PT, R0, 0x3f, PT",
                                           "@P0 BRA `(.L_x_1)",
                                           ".L_x_0:",
                                           "LDG.E.STRONG.GPU R4, desc[UR4][R2.64]",
                                           "ISETP.EQ.AND P1, PT, R4, RZ, PT",
                                           "@P1 BRA `(.L_x_0)",
                                           "EXIT",
                                           ".L_x_1:",
                                           "MOV R5, 0x1",
                                           "STG.E desc[UR4][R2.64], R5",
                                           "EXIT"};
    std::vector<int> flag(2, 0);
    SharedMemoryWorld world;
    MachineLaunch launch;
    launch.grid = {64, 1, 1};
    launch.block = {32, 1, 1};
    const MachineRun run = execute(kernel_of(with_address(world.show(flag), code)), launch, world);
    EXPECT_TRUE(run.complete()) << run.error;
    constexpr unsigned kTurns = 63 * 32 + 63 * 64 / 2, kLoop = 3, kRest = 64 * 12;
    EXPECT_LT(run.executed, kTurns * kLoop + kRest) << "32 times at first, then once whenever another block has begun";
    EXPECT_LT(run.longest_warp, 20u) << "but for what it waits";

    // What a waiting warp does before is work, also in the same turn.
    constexpr unsigned kWork = 500;
    std::vector<std::string> works = code;
    works.insert(std::ranges::find(works, ".L_x_0:"), kWork, "IADD3 R8, R8, 0x1, RZ");
    flag[0] = 0;
    SharedMemoryWorld other;
    const MachineRun longer = execute(kernel_of(with_address(other.show(flag), works)), launch, other);
    EXPECT_TRUE(longer.complete()) << longer.error;
    EXPECT_GE(longer.longest_warp, kWork);
    EXPECT_LT(longer.longest_warp, kWork + 20);
}

TEST(MachineExecution, TimePassesWhereAllWaitForTheClock) {
    // 2^36 clocks, which no 32 bits hold.
    const auto waits = [](const std::string& before) {
        return std::vector<std::string>{before,
                                        "CS2R R6, SR_CLOCKLO",
                                        ".L_x_0:",
                                        "CS2R R8, SR_CLOCKLO",
                                        "IADD3 R8, P0, -R6, R8, RZ",
                                        "IADD3.X R9, ~R7, R9, RZ, P0, !PT",
                                        "ISETP.GE.AND P1, PT, R9, 0x10, PT",
                                        "@!P1 BRA `(.L_x_0)",
                                        "EXIT"};
    };
    for (const unsigned blocks : {1u, 5u}) {
        SharedMemoryWorld world;
        MachineLaunch launch;
        launch.grid = {blocks, 1, 1};
        launch.block = {64, 1, 1};
        const MachineRun run = execute(kernel_of(waits("NOP")), launch, world);
        EXPECT_TRUE(run.complete()) << run.error;
        EXPECT_LT(run.executed, 20000u * blocks);
        EXPECT_LT(run.longest_warp, 20u) << "but for what it waits";
    }
    // A loop that counts its turns is work, however long it takes.
    std::vector<std::string> counts = waits("MOV R10, RZ");
    counts.insert(std::ranges::find(counts, "CS2R R8, SR_CLOCKLO"), "IADD3 R10, R10, 0x1, RZ");
    SharedMemoryWorld world;
    MachineLaunch launch;
    launch.grid = {1, 1, 1};
    launch.block = {32, 1, 1};
    launch.limit = 100000;
    EXPECT_FALSE(execute(kernel_of(counts), launch, world).complete());
}

TEST(MachineExecution, LetsNoOtherLanesOfAWarpInBetweenUsesOfAUniformRegister) {
    const std::vector<std::string> code = {"S2R R0, SR_TID.X",
                                           "ISETP.GE.AND P0, PT, R0, 0x10, PT",
                                           "@P0 BRA `(.L_x_0)",
                                           "UMOV UR6, 0x1",
                                           "UIADD3 UR6, UR6, 0x1, URZ",
                                           "MOV R5, UR6",
                                           "BRA `(.L_x_1)",
                                           ".L_x_0:",
                                           "UMOV UR6, 0x10",
                                           "UIADD3 UR6, UR6, 0x10, URZ",
                                           "MOV R5, UR6",
                                           ".L_x_1:",
                                           "RED.E.ADD.STRONG.GPU desc[UR4][R2.64], R5"};
    for (std::uint64_t seed = 0; seed <= 8; ++seed)
        for (const bool in_step : {false, true})
            EXPECT_EQ(left_by(code, 3, 64, {.seed = seed, .in_step = in_step})[0], 3 * (16 * 2 + 48 * 32))
                << seed << ' ' << in_step;
}

}  // namespace
}  // namespace lanework
