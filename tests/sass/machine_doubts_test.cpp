// How far doubt about a value goes through arithmetic, memory and lanes, and what it decides.
#include "src/gpu/sass/execution.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "src/gpu/sass/instructions.hpp"
#include "tests/sass/written_kernels.hpp"

namespace lanework {
namespace {

/// What doubts decided, and which of four words of memory are in doubt in the end, of code that finds their address at
/// R2 and R3; the first one is in doubt before, all are 0.
struct Doubted {
    MachineDoubts doubts;
    std::string words;
};
Doubted doubted(std::vector<std::string> code) {
    std::vector<int> memory(4, 0);
    SharedMemoryWorld world;
    DoubtfulMemory doubtful;
    const std::uint64_t base = world.show(memory);
    doubtful.add(DoubtfulMemory::order, base, 4);
    MachineLaunch launch;
    launch.block = {32, 1, 1};
    launch.doubtful = &doubtful;
    code.emplace_back("EXIT");
    const MachineRun run = execute(kernel_of(with_address(base, code)), launch, world);
    EXPECT_TRUE(run.complete()) << run.error;
    Doubted found{run.doubts, ""};
    EXPECT_EQ(std::ranges::any_of(run.counts, [](const MachineCount& each) { return each.doubtful_places != 0; }),
              run.doubts.places);
    for (unsigned i = 0; i < 4; ++i) found.words += doubtful.why(base + 4 * i, 4) == 0 ? '-' : '?';
    return found;
}
/// Loads the word that is in doubt, and one that is not.
std::vector<std::string> with_loads(std::vector<std::string> code) {
    code.insert(code.begin(), {"LDG.E R6, desc[UR4][R2.64]", "LDG.E R7, desc[UR4][R2.64+0x4]"});
    return code;
}

TEST(MachineDoubts, GoThroughGenericAccessesInEachSpace) {
    const auto stored = [&](std::vector<std::string> code) {
        code.insert(code.end(), {"SHFL.IDX PT, R8, R8, 0x2, 0x1f", "STG.E desc[UR4][R2.64+0x8], R8"});
        return doubted(with_loads(with_generic_addresses("0x10", std::move(code)))).words;
    };
    EXPECT_EQ(stored({"STS [0x10], R6", "STL [0x10], R7", "LD.E R8, desc[UR4][R12.64]"}), "?-?-");
    EXPECT_EQ(stored({"STS [0x10], R7", "STL [0x10], R6", "LD.E R8, desc[UR4][R12.64]"}), "?-?-");
    EXPECT_EQ(stored({"STS [0x10], R7", "STL [0x10], R7", "LD.E R8, desc[UR4][R12.64]"}), "?---");
}

TEST(MachineDoubts, GoThroughArithmeticIntoMemory) {
    const Doubted found = doubted(with_loads({"IADD3 R8, R6, R7, RZ", "IADD3 R9, R7, 0x1, RZ",
                                              "STG.E desc[UR4][R2.64+0x8], R8", "STG.E desc[UR4][R2.64+0xc], R9"}));
    EXPECT_EQ(found.words, "?-?-");
    EXPECT_FALSE(found.doubts.places || found.doubts.course) << "what is stored decides nothing";
    EXPECT_EQ(doubted({"STG.E desc[UR4][R2.64], RZ"}).words, "----") << "all of the word was written";
    EXPECT_EQ(doubted({"STG.E.U8 desc[UR4][R2.64], RZ"}).words, "?---");
    EXPECT_EQ(doubted(with_loads({"RED.E.ADD.STRONG.GPU desc[UR4][R2.64+0x4], R6"})).words,
              "??"
              "--");
    EXPECT_EQ(doubted(with_loads({"RED.E.ADD.STRONG.GPU desc[UR4][R2.64+0x8], R7"})).words, "?---");
}

TEST(MachineDoubts, GoThroughSharedMemoryAndOtherLanes) {
    const std::vector<std::string> store = {"STG.E desc[UR4][R2.64+0x8], R8"};
    const auto stored = [&](std::vector<std::string> code) {
        code.insert(code.end(), store.begin(), store.end());
        return doubted(with_loads(code)).words;
    };
    EXPECT_EQ(stored({"STS [0x10], R6", "LDS R8, [0x10]"}), "?-?-");
    EXPECT_EQ(stored({"STS [0x10], R6", "LDS R8, [0x14]"}), "?---");
    EXPECT_EQ(stored({"STS [0x10], R6", "STS [0x10], R7", "LDS R8, [0x10]"}), "?---");
    EXPECT_EQ(stored({"STL [RZ], R6", "LDL R8, [RZ]"}), "?-?-");
    EXPECT_EQ(stored({"MOV R8, RZ", "S2R R9, SR_TID.X", "ISETP.NE.AND P0, PT, R9, 0x3, PT", "@!P0 MOV R8, R6",
                      "SHFL.IDX PT, R8, R8, 0x5, 0x1f"}),
              "?-?-")
        << "of one lane, shown to all";
    EXPECT_EQ(stored({"R2UR UR6, R6", "UIADD3 UR6, UR6, 0x1, URZ", "MOV R8, UR6"}), "?-?-");
    EXPECT_EQ(stored({"MOV R8, R6", "MOV R8, R7"}), "?---");
}

TEST(MachineDoubts, SayWhatTheyDecide) {
    const auto decided = [](std::vector<std::string> code) { return doubted(with_loads(std::move(code))).doubts; };
    const char* const compare = "ISETP.GT.AND P0, PT, R6, RZ, PT";
    EXPECT_TRUE(decided({compare, "@P0 EXIT"}).course);
    EXPECT_TRUE(decided({compare, "@P0 STG.E desc[UR4][R2.64+0x8], RZ"}).course) << "no lane stores, on this processor";
    EXPECT_FALSE(decided({"ISETP.GT.AND P0, PT, R7, RZ, PT", "@P0 EXIT"}).course);
    EXPECT_FALSE(decided({compare, "@P0 IADD3 R7, R7, 0x1, RZ"}).course);
    EXPECT_TRUE(decided({compare, "@P0 IADD3 R7, R7, 0x1, RZ", "ISETP.GT.AND P1, PT, R7, RZ, PT", "@P1 EXIT"}).course)
        << "what is not done where it is false hangs on it, too";
    EXPECT_TRUE(decided({"IADD3 R2, R2, R6, RZ", "LDG.E R8, desc[UR4][R2.64]"}).places);
    EXPECT_FALSE(decided({"IADD3 R2, R2, R7, RZ", "LDG.E R8, desc[UR4][R2.64]"}).places);
    EXPECT_EQ(doubted(with_loads({"IADD3 R2, R2, R6, RZ", "STG.E desc[UR4][R2.64+0x8], RZ"})).words, "????")
        << "somewhere in the array";
}

TEST(MachineDoubts, AreTurnedRoundWhereTheyAreCompared) {
    const auto left = [](const char* compare, bool turned) {
        std::vector<int> memory(4, 0);
        SharedMemoryWorld world;
        DoubtfulMemory doubtful;
        const std::uint64_t base = world.show(memory);
        doubtful.add(DoubtfulMemory::rounding, base, 4);
        MachineLaunch launch;
        launch.block = {32, 1, 1};
        launch.doubtful = &doubtful;
        launch.variation = {.seed = 1, .turns_doubts = turned};
        const std::vector<std::string> code =
            with_loads({compare, "MOV R5, 0x1", "@P0 RED.E.ADD.STRONG.GPU desc[UR4][R2.64+0x8], R5", "EXIT"});
        EXPECT_TRUE(execute(kernel_of(with_address(base, code)), launch, world).complete());
        return memory[2];
    };
    for (const char* compare : {"FSETP.GT.AND P0, PT, R6, RZ, PT", "ISETP.GT.AND P0, PT, R6, RZ, PT"}) {
        EXPECT_EQ(left(compare, false), 0) << compare;
        EXPECT_GT(left(compare, true), 0) << compare;
    }
    EXPECT_EQ(left("FSETP.GT.AND P0, PT, R7, RZ, PT", true), 0) << "it is not in doubt";
}

TEST(MachineDoubts, DoNotSendAQuotientTheLongWayThatRoundingAloneCannot) {
    struct Checked {
        MachineDoubts doubts;
        int long_ways;
    };
    const auto checked = [](float divisor, DoubtfulMemory::Why why, MachineVariation variation) {
        std::vector<float> memory = {divisor, 1, 0, 0};
        std::vector<int> counted(1, 0);
        SharedMemoryWorld world;
        DoubtfulMemory doubtful;
        const std::uint64_t base = world.show(memory), count = world.show(counted);
        doubtful.add(why, base, 4);
        MachineLaunch launch;
        launch.block = {32, 1, 1};
        launch.doubtful = &doubtful;
        launch.variation = variation;
        const std::vector<std::string> code = with_loads(
            {"MOV R8, " + std::to_string(static_cast<std::uint32_t>(count)), "MOV R9, " + std::to_string(count >> 32),
             "MOV R5, 0x1", "FCHK P0, R7, R6", "@!P0 EXIT", "RED.E.ADD.STRONG.GPU desc[UR4][R8.64], R5", "EXIT"});
        const MachineRun run = execute(kernel_of(with_address(base, code)), launch, world);
        EXPECT_TRUE(run.complete()) << run.error;
        return Checked{run.doubts, counted[0]};
    };
    const Checked far = checked(3, DoubtfulMemory::rounding, {}), ordered = checked(3, DoubtfulMemory::order, {}),
                  near = checked(0x1p120f, DoubtfulMemory::rounding, {});
    EXPECT_TRUE(far.doubts.quotients);
    EXPECT_FALSE(far.doubts.course);
    EXPECT_TRUE(ordered.doubts.course) << "the order of threads may leave any number";
    EXPECT_TRUE(near.doubts.course) << "a little more, and it is beyond the border";
    EXPECT_EQ(near.long_ways, 0);
    // 2^125 is the border, and last places bring some lanes' divisors there.
    EXPECT_EQ(checked(0x1.fffffep124f, DoubtfulMemory::rounding, {.seed = 1}).long_ways, 0);
    EXPECT_GT(checked(0x1.fffffep124f, DoubtfulMemory::rounding, {.seed = 1, .shakes_doubts = true}).long_ways, 0);
}

}  // namespace
}  // namespace lanework
