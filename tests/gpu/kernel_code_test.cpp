// Reading what cuobjdump and nvcc print.
#include "src/gpu/kernel_code.hpp"

#include <gtest/gtest.h>

namespace lanework {
namespace {

using Lines = std::vector<std::string>;

// Two kernels as cuobjdump of CUDA 13 prints them, and the padding behind the first.
constexpr const char* kSass =
    "\n"
    "Fatbin elf code:\n"
    "================\n"
    "arch = sm_90\n"
    "code version = [1,8]\n"
    "\n"
    "\tcode for sm_90\n"
    "\t.target\tsm_90\n"
    "\n"
    "\t\tFunction : _Z3addPfi\n"
    "\t.headerflags\t@\"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)\"\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;                  /* 0x00000a00ff017b82 */\n"
    "                                                                           /* 0x000fe20000000800 */\n"
    "        /*0010*/              @!P0 BRA 0x40 ;                              /* 0x0000000000057919 */\n"
    "                                                                           /* 0x000e2e0000002500 */\n"
    "        /*0020*/                   LDG.E.128 R4, desc[UR6][R2.64] ;        /* 0x0000000602007981 */\n"
    "                                                                           /* 0x000ea2000c1e1900 */\n"
    "        /*0030*/                   BRA 0x0;                                /* 0x0000000000007947 */\n"
    "        /*0040*/                   EXIT ;                                  /* 0x000000000000794d */\n"
    "        /*0050*/                   BRA 0x50;                               /* 0xfffffffc00fc7947 */\n"
    "        /*0060*/                   NOP;                                    /* 0x0000000000007918 */\n"
    "        /*0070*/                   NOP;                                    /* 0x0000000000007918 */\n"
    "\t\t..........\n"
    "\n"
    "\t\tFunction : plain\n"
    "        /*0000*/                   EXIT ;                                  /* 0x000000000000794d */\n"
    "\t\t..........\n";

TEST(Sass, IsReadWithoutEncodingsAndPadding) {
    const auto kernels = parse_sass(kSass);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].symbol, "_Z3addPfi");
    EXPECT_EQ(kernels[0].target, "sm_90");
    EXPECT_EQ(kernels[0].lines, (Lines{"0000  LDC R1, c[0x0][0x28]", "0010  @!P0 BRA 0x40",
                                       "0020  LDG.E.128 R4, desc[UR6][R2.64]", "0030  BRA 0x0", "0040  EXIT"}));
    EXPECT_EQ(kernels[1].symbol, "plain");
    EXPECT_EQ(kernels[1].lines, Lines{"0000  EXIT"});
}

TEST(Sass, MayBeAnything) {
    EXPECT_TRUE(parse_sass("").empty());
    EXPECT_TRUE(parse_sass("/*0000*/ EXIT ;\n/* half a comment\n").empty()) << "of no kernel";
    EXPECT_TRUE(parse_sass("Function : f\n/*0000*/\n/*zz*/ X ;\n/*0000").front().lines.empty());
    EXPECT_EQ(parse_sass("Function : f\n/*0000*/ NOP;\n").front().lines, Lines{});
}

constexpr const char* kPtx =
    "Fatbin ptx code:\n"
    "================\n"
    "arch = sm_75\n"
    "ptxasOptions =  --generate-line-info \n"
    "\n"
    ".version 9.0\n"
    ".target sm_75, debug\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry _Z3addPfi(\n"
    ".param .u64 _Z3addPfi_param_0\n"
    ")\n"
    ".maxntid 256, 1, 1\n"
    "{\n"
    ".reg .b64 %rd<3>;\n"
    "\n"
    ".loc 1 5 0\n"
    "$L__func_begin0:\n"
    "\tld.param.u64 %rd1, [_Z3addPfi_param_0];\n"
    "$L__tmp0:\n"
    "{ // callseq 0\n"
    "call.uni vprintf, ();\n"
    "}\n"
    "@%p1 bra $L__BB0_2;\n"
    "$L__BB0_2:\n"
    "ret;\n"
    "}\n"
    ".section .debug_str\n"
    "{\n"
    ".b8 1\n"
    "}\n";

TEST(Ptx, IsReadWithoutWhatDebuggersRead) {
    const auto kernels = parse_ptx(kPtx);
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_EQ(kernels[0].symbol, "_Z3addPfi");
    EXPECT_EQ(kernels[0].target, "sm_75");
    EXPECT_EQ(kernels[0].lines, (Lines{".reg .b64 %rd<3>;", "ld.param.u64 %rd1, [_Z3addPfi_param_0];", "{ // callseq 0",
                                       "call.uni vprintf, ();", "}", "@%p1 bra $L__BB0_2;", "$L__BB0_2:", "ret;"}));
}

TEST(Ptx, OfTwoCopiesOfAKernelComesOnce) {
    const std::string other = ".target sm_90\n.entry _Z3addPfi(\n)\n{\nret;\n}\n";
    EXPECT_EQ(parse_ptx(std::string(kPtx) + kPtx).size(), 1u);
    EXPECT_EQ(parse_ptx(kPtx + other + other).size(), 2u) << "of each target";
}

TEST(Ptx, MayBeAnything) {
    EXPECT_TRUE(parse_ptx("").empty());
    EXPECT_TRUE(parse_ptx(".entry f(\n)\n{\nret;\n").empty()) << "it does not end";
    EXPECT_TRUE(parse_ptx("}\n}\n.section x\n{\n.b8 1\n}\n").empty());
}

}  // namespace
}  // namespace lanework
