// Reading what nvdisasm prints.
#include "src/gpu/sass/code.hpp"

#include <algorithm>

#include "src/gpu/sass/instructions.hpp"
#include "src/gpu/sass/operand.hpp"
#include "tests/sass/recorded_kernels.hpp"

namespace lanework {
namespace {

TEST(MachineCode, HoldsTheFactsOfEachKernel) {
    const MachineKernel& kernel = recorded_kernel("tiled_product");
    EXPECT_EQ(kernel.target, "sm_90");
    EXPECT_EQ(kernel.parameter_base, 0x210u);
    ASSERT_EQ(kernel.parameters.size(), 4u);
    EXPECT_EQ(kernel.parameters[1].offset, 8u);
    EXPECT_EQ(kernel.parameters[3].bytes, 4u);
    EXPECT_EQ(kernel.shared_bytes, 1024u + 2 * 16 * 16 * 4);  // the system's first
    EXPECT_GT(kernel.registers, 16u);
    EXPECT_EQ(kernel.stack_bytes, 0u);
    EXPECT_EQ(recorded_kernel("own_array").stack_bytes, 256u);
}

TEST(MachineCode, KnowsParametersByTheirNumberInWhateverOrderTheyCome) {
    // As linked code has them: the two last of the first kernel's exchanged.
    std::string text = recorded_text("kernels");
    constexpr std::string_view kHead = "//----- nvinfo : EIATTR_KPARAM_INFO";
    const std::size_t first = text.find(kHead), second = text.find(kHead, first + 1),
                      third = text.find(kHead, second + 1);
    const std::string one = text.substr(first, second - first), other = text.substr(second, third - second);
    text.replace(first, third - first, other + one);
    const MachineCode before = read_machine_code(recorded_text("kernels")), after = read_machine_code(text);
    for (std::size_t k = 0; k < before.kernels.size(); ++k) {
        ASSERT_EQ(after.kernels[k].parameters.size(), before.kernels[k].parameters.size());
        for (std::size_t i = 0; i < before.kernels[k].parameters.size(); ++i)
            EXPECT_EQ(after.kernels[k].parameters[i].offset, before.kernels[k].parameters[i].offset)
                << before.kernels[k].symbol;
    }
}

TEST(MachineCode, KnowsParametersOfMoreThanFourKibibytes) {
    // As nvdisasm prints it of f(struct of 31984 bytes, int*).
    const std::string head =
        "//----- nvinfo : EIATTR_KPARAM_INFO_V2\n/*0008*/ .byte 0x04, 0x45\n"
        "/*000a*/ .short (.L_9 - .L_8)\n/*000c*/ .word 0x00000000\n";
    const MachineCode code =
        read_machine_code("//--------------------- .nv.info.f --------------------------\n" + head +
                          "/*0010*/ .short 0x0001\n/*0012*/ .short 0x7cf0\n/*0014*/ .short 0x0008\n.zero 2\n" + head +
                          "/*0020*/ .short 0x0000\n/*0022*/ .short 0x0000\n/*0024*/ .short 0x7cf0\n.zero 2\n"
                          "//--------------------- .text.f --------------------------\n/*0000*/ EXIT ;\n");
    ASSERT_EQ(code.kernels.size(), 1u);
    ASSERT_EQ(code.kernels[0].parameters.size(), 2u);
    EXPECT_EQ(code.kernels[0].parameters[0].bytes, 31984u);
    EXPECT_EQ(code.kernels[0].parameters[1].offset, 31984u);
    EXPECT_EQ(code.kernels[0].parameters[1].bytes, 8u);
}

TEST(MachineCode, EndsWhereThePaddingBegins) {
    for (const MachineKernel& kernel : recorded_code().kernels) {
        ASSERT_FALSE(kernel.instructions.empty()) << kernel.symbol;
        EXPECT_NE(kernel.instructions.back().name, "NOP") << kernel.symbol;
        for (std::size_t i = 0; i < kernel.instructions.size(); ++i)
            EXPECT_EQ(kernel.instructions[i].address, 16 * i) << kernel.symbol;
    }
}

TEST(MachineCode, KnowsTheLineOfEachInstructionAndTheLinesItIsInlinedInto) {
    const MachineKernel& kernel = recorded_kernel("numbers");
    bool inlined = false;
    for (const MachineInstruction& instruction : kernel.instructions) {
        const CodePlace& place = kernel.place_of(instruction);
        if (place.size() < 2) continue;
        inlined = true;
        EXPECT_EQ(place.back().file, "tests/sass/recorded/kernels.cu");
        EXPECT_GT(place.back().line, 70);
    }
    EXPECT_TRUE(inlined);
    const MachineKernel& tiled = recorded_kernel("tiled_product");
    for (const MachineInstruction& instruction : tiled.instructions)
        if (instruction.name == "LDS.128") {
            EXPECT_EQ(tiled.place_of(instruction), (CodePlace{{"tests/sass/recorded/kernels.cu", 13}}));
        }
}

TEST(MachineCode, SeesVectorsThatTheCompilerMadeOfNeighbours) {
    const auto& code = recorded_kernel("tiled_product").instructions;
    EXPECT_EQ(std::ranges::count(code, "LDS.128", &MachineInstruction::name), 4);
    EXPECT_EQ(std::ranges::count(code, "LDS", &MachineInstruction::name), 16);
}

TEST(MachineCode, HoldsConstantVariables) {
    const MachineData& constants = recorded_code().constants;
    ASSERT_EQ(constants.variables.size(), 1u);
    EXPECT_EQ(constants.variables[0].name, "table");
    EXPECT_EQ(constants.variables[0].bytes, 256u);
    EXPECT_EQ(constants.bytes.size(), 256u);
}

TEST(MachineCode, HoldsVariablesWithTheirPlacesAndWhatTheyBeginAs) {
    const MachineCode code = read_machine_code(recorded_text("variables"));
    const auto names = [](const std::vector<MachineSymbol>& variables) {
        std::vector<std::string> all;
        for (const MachineSymbol& variable : variables)
            all.push_back(variable.name.find("unread") == std::string::npos ? variable.name : "unread");
        return all;
    };
    EXPECT_EQ(names(code.constants.variables), (std::vector<std::string>{"taps", "shift", "scales"}));
    EXPECT_EQ(code.constants.variables[1].offset, 20u);
    EXPECT_EQ(code.constants.bytes[20], std::byte{3});
    EXPECT_EQ(code.constants.variables[2].bytes, 12u);
    EXPECT_EQ(names(code.globals.variables), (std::vector<std::string>{"_ZN3lib4gainE", "above", "unread"}));
    EXPECT_EQ(code.globals.variables[1].bytes, 4u);
    ASSERT_EQ(code.addresses.size(), 3u);
    EXPECT_EQ(names(code.addresses), (std::vector<std::string>{"above", "unread", "_ZN3lib4gainE"}));
    EXPECT_EQ(code.addresses[2].offset, 16u);
}

TEST(MachineCode, NamesWhatIsStaticWithoutItsUnit) {
    EXPECT_EQ(without_unit("__nv_static_25__799f30e2_4_s_cu_109353b2__Z5setupPii"), "_Z5setupPii");
    EXPECT_EQ(without_unit("__nv_static_25__799f30e2_4_s_cu_109353b2_bank"), "bank");
    EXPECT_EQ(without_unit("_Z5setupPii"), "_Z5setupPii");
    for (const char* broken : {"__nv_static_", "__nv_static_25_", "__nv_static_99__a_bank", "__nv_static_x_bank"})
        EXPECT_EQ(without_unit(broken), broken);
    const MachineCode code = read_machine_code(
        "//--------------------- .text.__nv_static_25__799f30e2_4_s_cu_109353b2__Z5setupPii "
        "--------------------------\n"
        "/*0000*/ EXIT ;\n");
    ASSERT_EQ(code.kernels.size(), 1u);
    EXPECT_EQ(code.kernels[0].symbol, "_Z5setupPii");
}

TEST(MachineCode, ReadsHowLongAWarpWaitsBehindAnInstruction) {
    const std::string section = "//--------------------- .text._Z5setupPii --------------------------\n",
                      first = "/*0000*/ LDC R1, c[0x0][0x28] ;";
    const MachineCode with = read_machine_code(section + first +
                                               " /* 0x00000a00ff017b82 */\n"
                                               "         /* 0x000fe20000000800 */\n"
                                               "/*0010*/ ISETP.GT.AND P1, PT, R0, 0xff, PT ; /* 0x000000ff0000780c */\n"
                                               "         /* 0x001fda0003f24270 */\n"
                                               "/*0020*/ EXIT ; /* 0x000000000000794d */\n"
                                               "         /* 0x000fea0003800000 */\n");
    ASSERT_EQ(with.kernels.size(), 1u);
    ASSERT_EQ(with.kernels[0].instructions.size(), 3u);
    EXPECT_EQ(with.kernels[0].instructions[0].stall, 1);
    EXPECT_EQ(with.kernels[0].instructions[1].stall, 13) << "until a branch may ask for the predicate";
    EXPECT_EQ(with.kernels[0].instructions[2].stall, 5);
    EXPECT_EQ(with.kernels[0].instructions[1].operands, "P1, PT, R0, 0xff, PT");
    const MachineCode without = read_machine_code(section + first + "\n/*0010*/ EXIT ;\n");
    ASSERT_EQ(without.kernels.size(), 1u);
    EXPECT_EQ(without.kernels[0].instructions[0].stall, 0) << "not printed, not known";
}

TEST(MachineCode, IsEmptyWhereThereIsNone) {
    EXPECT_TRUE(read_machine_code("").kernels.empty());
    EXPECT_TRUE(read_machine_code("nvdisasm fatal   : Could not open input file\n").kernels.empty());
}

TEST(MachineCode, ShowsInstructionsAsTheyArePrinted) {
    const MachineInstruction instruction{.address = 0x10, .guard = "@!P0", .name = "LDS.64", .operands = "R2, [R4]"};
    EXPECT_EQ(instruction.text(), "@!P0 LDS.64 R2, [R4]");
    EXPECT_EQ(pipe_of(instruction), Pipe::memory);
}

TEST(MachineOperands, AreReadWithTheirSignsAndParts) {
    using Kind = MachineOperand::Kind;
    const auto operands = parse_operands(
        "R4.reuse, -|R6|, ~UR5, !P3, c[0x0][0x210], desc[UR8][R2.64+-0x10], [R3.X4+UR7+0x20], PT, R9.H1_H1");
    ASSERT_EQ(operands.size(), 9u);
    EXPECT_TRUE(operands[0].is(Kind::reg));
    EXPECT_EQ(operands[0].index, 4u);
    EXPECT_TRUE(operands[1].negative && operands[1].absolute);
    EXPECT_TRUE(operands[2].is(Kind::uniform) && operands[2].inverted);
    EXPECT_TRUE(operands[3].is(Kind::predicate) && operands[3].negated);
    EXPECT_EQ(operands[4].offset, 0x210);
    EXPECT_TRUE(operands[5].is(Kind::memory) && operands[5].wide);
    EXPECT_EQ(operands[5].offset, -16);
    EXPECT_EQ(operands[6].scale, 4u);
    EXPECT_EQ(operands[6].uniform_base, 7u);
    EXPECT_EQ(operands[7].index, kTruePredicate);
    EXPECT_EQ(operands[8].half, MachineOperand::Half::high);
}

TEST(MachineOperands, KeepLiteralsAsTheyAreWritten) {
    for (const char* text : {"0x1f", "-0x1", "1.5", "-10000", "+INF", "-QNAN"}) {
        const auto operands = parse_operands(text);
        ASSERT_EQ(operands.size(), 1u) << text;
        EXPECT_TRUE(operands[0].is(MachineOperand::Kind::number)) << text;
        EXPECT_EQ(operands[0].text, text);
    }
}

}  // namespace
}  // namespace lanework
