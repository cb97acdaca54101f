// What machine code tells before it is executed: quotients, swaps, waits, and what decides what is executed.
#include "src/gpu/sass/execution.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "src/gpu/sass/instructions.hpp"
#include "tests/sass/written_kernels.hpp"

namespace lanework {
namespace {

TEST(MachineCode, TellsWhichSwapsAreTriedAgain) {
    const auto retried = [](std::vector<std::string> lines) {
        std::string marks;
        for (const bool each : retried_swaps(kernel_of(std::move(lines)))) marks += each ? 'r' : '.';
        return marks;
    };
    const std::string swap = "ATOMG.E.CAS.STRONG.GPU PT, R5, [R2], R4, R6", back = "@P0 BRA `(.L_x_1)";
    EXPECT_EQ(retried({".L_x_1:", "MOV R4, R5", swap, "ISETP.NE.AND P0, PT, R5, R4, PT", back, "EXIT"}), ".r...");
    EXPECT_EQ(retried({".L_x_1:", swap, "ISETP.NE.AND P0, PT, R8, R9, PT", back, "EXIT"}), "....")
        << "a loop that counts its turns";
    EXPECT_EQ(retried({".L_x_1:", "ATOMG.E.ADD.STRONG.GPU PT, R5, [R2], R4", "ISETP.NE.AND P0, PT, R5, R4, PT", back,
                       "EXIT"}),
              "....");
    EXPECT_EQ(retried({swap, "ISETP.NE.AND P0, PT, R5, R4, PT", "@P0 BRA `(.L_x_1)", ".L_x_1:", "EXIT"}), "....")
        << "it goes on";
}

TEST(MachineCode, TellsWhereAWarpWaitsForItsLoads) {
    const auto waits = [](std::vector<std::string> lines) {
        std::string marks;
        for (const bool each : waits_for_loads(kernel_of(std::move(lines)))) marks += each ? 'w' : '.';
        return marks;
    };
    const std::string load = "LDG.E R4, desc[UR4][R2.64]", other = "LDG.E.64 R6, desc[UR4][R2.64+0x10]";
    EXPECT_EQ(waits({load, other, "IADD3 R0, R4, R5, RZ", "IADD3 R0, R6, R0, RZ", "EXIT"}), "..w..")
        << "both came together";
    EXPECT_EQ(waits({load, "IADD3 R0, R4, R5, RZ", other, "IADD3 R0, R7, R0, RZ", "EXIT"}), ".w.w.");
    EXPECT_EQ(waits({load, "MOV R0, R1", "STG.E desc[UR4][R8.64], R0", "EXIT"}), "....") << "nobody needs it";
    EXPECT_EQ(waits({"LDG.E.64 R2, desc[UR4][R8.64]", load, "EXIT"}), ".w.") << "an address that was loaded";
    EXPECT_EQ(waits({load, "MOV R4, 0x1", "EXIT"}), ".w.") << "its register is needed";
    EXPECT_EQ(waits({"LDG.E.128 R4, desc[UR4][R2.64]", "STG.E desc[UR4][R8.64], R7", "EXIT"}), ".w.");
    EXPECT_EQ(waits({"LDGSTS.E.128 [R0], desc[UR4][R2.64]", "LDGDEPBAR", "DEPBAR.LE SB0, 0x0", "EXIT"}), "..w.");
    EXPECT_EQ(
        waits({"@P0 BRA `(.L_x_1)", load, "BRA `(.L_x_2)", ".L_x_1:", load, ".L_x_2:", "IADD3 R0, R4, R5, RZ", "EXIT"}),
        "....w.")
        << "one or the other";
    EXPECT_EQ(waits({load, ".L_x_1:", "IADD3 R0, R4, R5, RZ", load, "@P0 BRA `(.L_x_1)", "EXIT"}), ".w...")
        << "the load of the turn before";
    EXPECT_EQ(waits({"TEX.LL RZ, R4, R2, R0, UR4, 0x0, 2D, 0x1", "FADD R0, R4, R6", "EXIT"}), ".w.") << "a texture";
    EXPECT_EQ(waits({"LDS R4, [R2]", "IADD3 R0, R4, R5, RZ", "EXIT"}), "...") << "shared memory";
}

TEST(MachineCode, TellsLoopsThatDoNothingButAsk) {
    const auto idle = [](std::vector<std::string> body) {
        body.insert(body.begin(), ".L_x_1:");
        body.emplace_back("EXIT");
        std::string marks;
        for (const bool each : idle_instructions(kernel_of(std::move(body)))) marks += each ? 'i' : '.';
        return marks;
    };
    const std::string flag = "LD.E.STRONG.GPU R9, desc[UR4][R6.64+0x4]", back = "@P0 BRA `(.L_x_1)";
    const std::string tests = "ISETP.GT.AND P0, PT, R9, -0x1, PT", clock = "CS2R R4, SR_CLOCKLO";
    EXPECT_EQ(idle({flag, "CCTL.IVALL", "YIELD", "LOP3.LUT R9, R9, R0, RZ, 0x3c, !PT", tests, back}), "i......")
        << "a barrier of the whole grid";
    EXPECT_EQ(idle({clock, "IADD3 R0, P0, -R2, R4, RZ", "IMAD.X R4, R5, 0x1, ~R3, P0",
                    "ISETP.GE.U32.AND P0, PT, R0, UR4, PT", "ISETP.GE.AND.EX P0, PT, R4, UR5, PT, P0", back}),
              "i......")
        << "a wait for the time";
    EXPECT_EQ(idle({"HFMA2.MMA R4, -RZ, RZ, 0, 0", "YIELD", "ATOMG.E.CAS.STRONG.GPU PT, R0, [R2], R4, R5",
                    "ISETP.NE.AND P0, PT, R0, RZ, PT", back}),
              "..i...")
        << "a lock";
    EXPECT_EQ(idle({flag, "IADD3 R1, R1, 0x1, RZ", tests, back}), ".....") << "it counts its turns";
    EXPECT_EQ(idle({flag, "@P1 MOV R1, R9", "FADD R2, R1, R9", tests, back}), "......") << "R1 may be of a turn before";
    EXPECT_EQ(idle({flag, "MOV R1, R9", "FADD R2, R1, R9", tests, back}), "i.....");
    EXPECT_EQ(idle({flag, "STG.E desc[UR4][R2.64], R5", tests, back}), ".....") << "it writes";
    EXPECT_EQ(idle({flag, "BAR.SYNC.DEFER_BLOCKING 0x0", tests, back}), ".....") << "it meets others";
    EXPECT_EQ(idle({clock, "LDG.E R9, desc[UR4][R6.64]", "MOV R6, R9", tests, back}), "......") << "it follows a list";
    EXPECT_EQ(idle({flag, "@P1 BRA `(.L_x_1)", "MOV R1, R9", tests, back}), "i.....") << "a loop within";
    EXPECT_EQ(idle({"LDG.E R9, desc[UR4][R6.64]", tests, back}), "....") << "which asks nobody";
}

TEST(MachineCode, TellsStoresOfWhatWasLoadedAsItIs) {
    const auto copies = [](std::vector<std::string> lines) {
        std::string marks;
        for (const bool each : copies_by_registers(kernel_of(std::move(lines)))) marks += each ? 'c' : '.';
        return marks;
    };
    const std::string load = "LDG.E.128 R4, desc[UR4][R2.64]", store = "STS.128 [R0], R4";
    EXPECT_EQ(copies({load, store, "EXIT"}), ".c.");
    EXPECT_EQ(copies({load, "STS [R0], R7", "STS [R0+0x4], R8", "EXIT"}), ".c..") << "R8 was not loaded";
    EXPECT_EQ(copies({load, "FADD R6, R6, R5", store, "EXIT"}), "....") << "a part was computed";
    EXPECT_EQ(copies({"LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R2.64+0x8]", "STS.64 [R0], R4", "EXIT"}),
              "..c.");
    EXPECT_EQ(copies({"LDS R4, [R1]", "STS [R0], R4", "STS [R0], RZ", "EXIT"}), "....") << "not of global memory";
    EXPECT_EQ(copies({"LDGSTS.E.128 [R0], desc[UR4][R2.64]", "EXIT"}), "..");
}

// What nvcc makes of a / b, once of floats and once of doubles, with others' products in between.
TEST(MachineCode, KnowsTheStepsOfAQuotient) {
    const auto steps = [](const std::vector<std::string>& lines) {
        std::string found;
        for (const bool step : steps_of_quotients(kernel_of(lines))) found += step ? 'x' : '.';
        return found;
    };
    const std::vector<std::string> single = {"MUFU.RCP R0, R3",
                                             "FFMA R5, -R3, R0, 1",
                                             "FFMA R9, R10, R11, R9",
                                             "FFMA R5, R0, R5, R0",
                                             "I2FP.F32.S32 R0, UR6",
                                             "FCHK P0, R0, R3",
                                             "FFMA R8, R0, R5, RZ",
                                             "FFMA R2, -R3, R8, R0",
                                             "FFMA R8, R5, R2, R8",
                                             "FFMA R9, R8, R9, R9",
                                             "@!P0 BRA `(.L_1)",
                                             "FFMA R9, R8, R9, R9",
                                             ".L_1:",
                                             "EXIT"};
    EXPECT_EQ(steps(single), ".x.x..xxx....");
    const std::vector<std::string> wide = {"MUFU.RCP64H R9, R17",      "MOV R8, 0x1",
                                           "DFMA R18, -R16, R8, 1",    "DFMA R18, R18, R18, R18",
                                           "DFMA R22, R8, R18, R8",    "DADD R8, R14, -1",
                                           "DFMA R10, -R16, R22, 1",   "DFMA R10, R22, R10, R22",
                                           "DFMA R2, R2, UR6, R8",     "DMUL R20, R18, R10",
                                           "DFMA R22, -R16, R20, R18", "DFMA R2, R10, R22, R20",
                                           "DFMA R8, R14, R2, R8",     "EXIT"};
    EXPECT_EQ(steps(wide), "..xxx.xx..xx..");
    EXPECT_EQ(steps({"MUFU.RCP R0, R3", "FFMA R5, R4, R0, R6", "FFMA R5, R5, R0, R6", "EXIT"}), "....")
        << "an approximate quotient that is added to something";
    // A reciprocal that is multiplied, beside a quotient by another number; then by the same.
    const auto beside = [&](const std::string& check) {
        return steps({"MUFU.RCP R0, R3", "FFMA R5, -R3, R0, 1", "FFMA R5, R0, R5, R0", "FFMA R9, R5, R10, R11",
                      "FFMA R9, R5, R9, R11", check, "FFMA R8, R10, R5, RZ", "FFMA R2, -R3, R8, R10",
                      "FFMA R8, R5, R2, R8", "EXIT"});
    };
    EXPECT_EQ(beside("FCHK P0, R10, R4"), ".xx.......");
    EXPECT_EQ(beside("FCHK P0, R10, R3"), ".xx...xxx.");
    EXPECT_EQ(steps({"MUFU.RCP64H R9, R17", "MOV R8, 0x1", "DFMA R18, -R16, R8, 1", "DFMA R18, R18, R18, R18",
                     "DFMA R22, R8, R18, R8", "DFMA R10, -R16, R22, 1", "DFMA R10, R22, R10, R22", "DMUL R20, R18, R10",
                     "DFMA R24, R20, R26, R28", "EXIT"}),
              "..xxxxx...")
        << "a multiple of a reciprocal";
}

TEST(MachineCode, TellsWhereComparedFractionsDecideWhatIsExecuted) {
    const std::string compare = "FSETP.GT.AND P1, PT, R2, R3, PT";
    EXPECT_TRUE(steers_by_fractions(kernel_of({compare, "@P1 EXIT", "EXIT"})));
    EXPECT_TRUE(steers_by_fractions(kernel_of({compare, "@!P1 STG.E desc[UR4][R6.64], R0", "EXIT"})));
    EXPECT_TRUE(
        steers_by_fractions(kernel_of({compare, "PLOP3.LUT P0, PT, P1, P2, PT, 0x80, 0x0", "@P0 EXIT", "EXIT"})));
    EXPECT_TRUE(steers_by_fractions(kernel_of({"FCHK P1, R2, R3", "@P1 EXIT", "EXIT"}))) << "a quotient's long way";
    EXPECT_TRUE(steers_by_fractions(kernel_of({compare, "@P0 BRA P1, `(.L_1)", ".L_1:", "EXIT"})));
    EXPECT_FALSE(steers_by_fractions(kernel_of({compare, "@P1 FMUL R2, R2, R3", "EXIT"}))) << "a choice of values";
    EXPECT_FALSE(steers_by_fractions(kernel_of({compare, "ISETP.GT.AND P1, PT, R4, R5, PT", "@P1 EXIT", "EXIT"})))
        << "the predicate is of whole numbers by then";
}

TEST(MachineCode, TellsWhereAtomicsSayWhereMemoryIsAccessed) {
    const std::string draw = "@P0 ATOMG.E.ADD.STRONG.GPU PT, R3, desc[UR4][R2.64], R11";
    const std::string store = "STG.E desc[UR4][R4.64], R7", place = "IMAD.WIDE R4, R9, 0x4, R4";
    const std::string shuffle = "SHFL.IDX PT, R9, R3, R0, 0x1f";
    const auto draws = [](std::vector<std::string> code) {
        code.emplace_back("EXIT");
        return std::ranges::count(drawn_accesses(kernel_of(code)), true) != 0;
    };
    EXPECT_TRUE(draws({draw, shuffle, place, store})) << "a place in a list, drawn for a warp";
    EXPECT_TRUE(draws({draw, "R2UR UR8, R3", "UIADD3 UR8, UR8, UR9, URZ", "IADD3 R4, P1, R6, UR8, RZ", store}));
    EXPECT_TRUE(draws({draw, "STS [R6], R3", "LDS R9, [R8]", place, store})) << "by way of shared memory";
    EXPECT_FALSE(draws({draw, "STS.U8 [UR5+0x40], R3", "LDS R9, [R8]", place, store}))
        << "a flag, and not the sums beside it";
    EXPECT_TRUE(draws({draw, "ISETP.NE.AND P1, PT, R3, UR6, PT", "@!P1 MOV R9, R8", place, store})) << "a choice by it";
    EXPECT_TRUE(draws({"ATOMS.ADD R3, [R2], R11", "LEA R5, R3, UR4, 0x2", "STS [R5], R7"}));
    EXPECT_TRUE(draws({".L_1:", store, draw, "MOV R9, R3", place, "@P1 BRA `(.L_1)"})) << "in the next turn of a loop";
    EXPECT_FALSE(draws({store, draw, "MOV R9, R3", place})) << "there is no next turn";
    EXPECT_TRUE(draws({".L_1:", "LDG.E R7, desc[UR4][R8.64]", "MOV R8, R5", "MOV R5, R3", draw, "@P1 BRA `(.L_1)"}))
        << "in the turn after the next one";
    EXPECT_TRUE(
        draws({"@P1 BRA `(.L_1)", draw, "MOV R9, R3", "BRA `(.L_2)", ".L_1:", "MOV R9, R8", ".L_2:", place, store}))
        << "on one of two ways, before the other in the code";
    EXPECT_TRUE(draws({draw, "ISETP.NE.AND P1, PT, R3, UR6, PT", "@P1 " + store})) << "whether, and not where";
    EXPECT_TRUE(
        draws({"CALL.REL.NOINC `(.L_1)", "MOV R9, R3", place, store, "EXIT", ".L_1:", draw, "RET.REL.NODEC R20 `(f)"}))
        << "in a function";
    EXPECT_TRUE(draws({draw, "LDGSTS.E [R3], desc[UR4][R8.64]"})) << "a place in shared memory that a copy goes to";
    EXPECT_TRUE(draws({draw, "MOV R9, R3", "BRX R10 0x40", "MOV R9, R8", "EXIT", ".L_1:", place, store}))
        << "on a way from a table";
    EXPECT_FALSE(draws(
        {"@P0 ATOMG.E.ADD.STRONG.GPU PT, R7, desc[UR4][R2.64], R11", "DADD R6, R8, R10", "STG.E desc[UR4][R7.64], R9"}))
        << "both words of a double are another's";
    EXPECT_FALSE(draws({draw, "ISETP.NE.AND P1, PT, R3, UR6, PT", "@P1 EXIT", place, store})) << "a ticket";
    EXPECT_FALSE(draws({draw, "STG.E desc[UR4][R6.64], R3"})) << "what was drawn, at a place of one's own";
    EXPECT_FALSE(draws({draw, "MOV R3, 0x4", "MOV R9, R3", place, store})) << "the register holds something else";
    EXPECT_FALSE(draws({"IMAD.WIDE R2, R0, 0x4, R6", "ATOMG.E.ADD.STRONG.GPU PT, R2, desc[UR4][R2.64], R11"}))
        << "what is drawn takes the address's register";
    EXPECT_FALSE(draws({"REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R11", place, store})) << "nothing is returned";
    EXPECT_EQ(drawn_accesses(kernel_of({"STS [R6], R7", draw, "MOV R9, R3", place, store, "EXIT"})),
              (std::vector<bool>{false, false, false, false, true, false}));
}

}  // namespace
}  // namespace lanework
