// Kernels as the compiler made them: the counts of their code, and what they take of a multiprocessor.
#include "src/report/kernels/kernel_listing.hpp"
#include "src/io/json.hpp"

#include <gtest/gtest.h>

#include "src/report/kernels/code_tally.hpp"

namespace lanework {
namespace {

const KernelCode kSass{"_ZN12_GLOBAL__N_13sumIiEEvPi",
                       "sm_90",
                       {"0000  LDG.E.128 R4, desc[UR6][R2.64]", "0010  @P0 LDG.E.U16.CONSTANT R8, desc[UR6][R2.64]",
                        "0020  LDG.E R9, desc[UR6][R2.64]", "0030  STS.64 [R3], R4", "0040  LDSM.16.M88.4 R8, [R2]",
                        "0050  BAR.SYNC.DEFER_BLOCKING 0x0", "0060  WARPSYNC 0xffffffff", "0070  LDL.LU R0, [R1]",
                        "0080  FFMA R1, R2, R3, R4", "0090  HFMA2.MMA R1, -RZ, RZ, 0, 0", "00a0  HFMA2 R1, R2, R3, R4",
                        "00b0  MUFU.EX2 R1, R2", "00c0  ATOMS.ADD R1, [R2], R3",
                        "00d0  LDGSTS.E.128 [R1], desc[UR6][R2.64]", "00e0  HMMA.16816.F32 R4, R8, R10, R4",
                        "00f0  @!UP0 BRA 0x10", "0100  LDC R1, c[0x0][0x28]", "0110  STG.E.64 desc[UR6][R2.64], R4"}};

const KernelCode kPtx{
    "f",
    "sm_75",
    {".reg .b32 %r<3>;", "{ // callseq 0", "}", "$L__BB0_1:", "ld.param.u64 %rd1, [p];",
     "ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", "@%p1 st.shared.v2.b64 [%r1], {%rd1, %rd2};",
     "ld.global.u8 %rs1, [%rd1];", "fma.rn.f32 %f1, %f2, %f3, %f4;", "ex2.approx.ftz.f32 %f1, %f2;",
     "atom.global.add.u32 %r1, [%rd1], 1;", "bar.sync 0;", "bar.warp.sync -1;", "@!%p1 bra $L__BB0_1;", "ret;"}};

TEST(CodeTally, CountsSassByMemoryAndWidth) {
    EXPECT_EQ(summary(tally(kSass, CodeForm::sass)),
              "18 instructions: global loads 1 × 16 B, 1 × 4 B, 1 × 2 B; global stores 1 × 8 B; shared loads 1 × 16 B; "
              "shared stores 1 × 8 B; local loads 1 × 4 B; 1 asynchronous copy; 1 atomic; 2 fused multiply-adds; "
              "1 matrix multiplication; 1 special function; 1 barrier; 1 branch");
}

TEST(CodeTally, CountsPtxByMemoryAndWidth) {
    EXPECT_EQ(
        summary(tally(kPtx, CodeForm::ptx)),
        "11 instructions: global loads 1 × 16 B, 1 × 1 B; shared stores 1 × 16 B; 1 atomic; 1 fused multiply-add; "
        "1 special function; 1 barrier; 1 branch");
}

TEST(CodeTally, OfNoCodeIsNothing) { EXPECT_EQ(summary(tally({}, CodeForm::sass)), "0 instructions"); }

TEST(KernelListing, NamesTheKernelSumsItUpAndShowsItsCode) {
    const std::string text = draw_code(std::vector{kSass}, CodeForm::sass, {});
    EXPECT_EQ(text.find("sum<int>, sm_90 SASS\n18 instructions: "), 0u) << text;
    EXPECT_NE(text.find("\n  0050  BAR.SYNC.DEFER_BLOCKING 0x0\n"), std::string::npos) << text;
}

TEST(KernelListing, IsDataForPrograms) {
    const auto sections = code_sections(std::vector{kPtx}, CodeForm::ptx);
    const auto json = Json::parse(sections_to_json("info", sections))["info"][0]["facts"];
    EXPECT_EQ(json["kernel"], "f");
    EXPECT_EQ(json["target"], "sm_75");
    EXPECT_EQ(json["form"], "PTX");
    EXPECT_TRUE(std::string(json["code"]).ends_with("bra $L__BB0_1;\nret;\n"));
}

KernelRecord record(int capability, int registers, int shared) {
    KernelRecord record{};
    record.capability = capability;
    record.name = "sum<int>";
    record.registers_per_thread = registers;
    record.static_shared_bytes = shared;
    record.spill_load_bytes = 12;
    record.constant_bytes = -1;
    return record;
}

TEST(KernelRegisters, BoundTheLargestBlock) {
    EXPECT_EQ(largest_block(record(90, 32, 0)), 1024);
    EXPECT_EQ(largest_block(record(90, 64, 0)), 1024);
    EXPECT_EQ(largest_block(record(90, 65, 0)), 896);  // 72 registers after rounding, 65536 in a block: 28 warps
    EXPECT_EQ(largest_block(record(90, 255, 0)), 256);
    EXPECT_EQ(largest_block(record(1, 32, 0)), 0) << "nothing is known of it";
}

TEST(KernelRegisters, AreALinePerKernelAndArchitecture) {
    const std::vector records{record(80, 40, 4096), record(90, 65, 4096)};
    const std::string csv = to_csv(registers_table(records));
    EXPECT_EQ(csv,
              "kernel,for,registers,shared B,stack B,spill stores B,spill loads B,constant B,barriers,largest block\n"
              "sum<int>,sm_80,40,4096,0,0,12,–,0,1024\n"
              "sum<int>,sm_90,65,4096,0,0,12,–,0,896\n");
    const auto figures = Json::parse(sections_to_json("info", registers_sections(records)))["info"][1]["figures"];
    EXPECT_EQ(figures["registers_per_thread"], 65);
    EXPECT_EQ(figures["largest_block"], 896);
    EXPECT_FALSE(figures.contains("constant_bytes")) << "what is not known is left out";
}

}  // namespace
}  // namespace lanework
