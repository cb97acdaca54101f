// What this processor's code comes to in instructions of a GPU: arithmetic counts, moves and hooks do not, divisions
// count as the subroutines that they are there.
#include "src/trace/record/host_code.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace lanework {
namespace {

#if defined(__x86_64__)
using Code = std::vector<std::uint8_t>;

double counted(const Code& code) {
    return gpu_instructions(
        code, [](std::size_t) { return false; }, [](std::int64_t) { return 1000.0; });
}

TEST(HostCode, CountsArithmetic) {
    EXPECT_EQ(counted({0x01, 0xd8}), 1) << "add %ebx,%eax";
    EXPECT_EQ(counted({0x48, 0x01, 0xd8}), 2) << "add %rbx,%rax: two halves";
    EXPECT_EQ(counted({0x48, 0x0f, 0xaf, 0xc3}), 3) << "imul %rbx,%rax";
    EXPECT_EQ(counted({0xf3, 0x0f, 0x58, 0xc1}), 1) << "addss %xmm1,%xmm0";
    EXPECT_EQ(counted({0xc5, 0xfa, 0x58, 0xc1}), 1) << "vaddss %xmm1,%xmm0,%xmm0";
    EXPECT_EQ(counted({0x0f, 0x84, 1, 2, 3, 4}), 1) << "je";
    EXPECT_EQ(counted({0x81, 0x44, 0x24, 0x08, 1, 2, 3, 4}), 1) << "addl $0x4030201,0x8(%rsp)";
}

TEST(HostCode, KnowsWhatMultipliesAndWhatIsIndexedOnTheStack) {
    const auto found = [](const Code& code) {
        const CodeOnGpu of = code_on_gpu(
            code, [](std::size_t) { return false; }, [](std::int64_t) { return 0.0; });
        return std::pair(of.multiplications, of.indexed_on_stack);
    };
    using Both = std::pair<double, double>;
    EXPECT_EQ(found({0x0f, 0xaf, 0xc1}), Both(1, 0)) << "imul %ecx,%eax";
    EXPECT_EQ(found({0x69, 0x44, 0x94, 0x10, 1, 2, 3, 4}), Both(1, 1)) << "imul $0x4030201,0x10(%rsp,%rdx,4),%eax";
    EXPECT_EQ(found({0x89, 0x44, 0x94, 0x10}), Both(0, 1)) << "mov %eax,0x10(%rsp,%rdx,4)";
    EXPECT_EQ(found({0x42, 0x8b, 0x44, 0xa4, 0x10}), Both(0, 1)) << "mov 0x10(%rsp,%r12,4),%eax";
    EXPECT_EQ(found({0x48, 0x8d, 0x44, 0x94, 0x10}), Both(0, 0)) << "lea 0x10(%rsp,%rdx,4),%rax";
    EXPECT_EQ(found({0x48, 0x8b, 0x44, 0x24, 0x08}), Both(0, 0)) << "mov 0x8(%rsp),%rax";
    EXPECT_EQ(found({0xf3, 0x0f, 0x59, 0xc1}), Both(0, 0)) << "mulss: the other pipe";
}

TEST(HostCode, CountsDivisionsAsSubroutines) {
    EXPECT_EQ(counted({0x48, 0xf7, 0xf9}), 40) << "idiv %rcx";
    EXPECT_EQ(counted({0xf7, 0xf9}), 18) << "idiv %ecx";
    EXPECT_EQ(counted({0xf7, 0xd9}), 1) << "neg %ecx";
    EXPECT_EQ(counted({0xf3, 0x0f, 0x5e, 0xc1}), 9) << "divss";
    EXPECT_EQ(counted({0xf2, 0x0f, 0x51, 0xc1}), 20) << "sqrtsd";
}

TEST(HostCode, LeavesOutWhatOnlyThisProcessorDoes) {
    EXPECT_EQ(counted({0x89, 0xd8}), 0) << "mov %ebx,%eax";
    EXPECT_EQ(counted({0x48, 0x8b, 0x84, 0x24, 0xe8, 2, 0, 0}), 0) << "mov 0x2e8(%rsp),%rax";
    EXPECT_EQ(counted({0x48, 0x8d, 0xbc, 0x24, 0xe8, 2, 0, 0}), 0) << "lea 0x2e8(%rsp),%rdi";
    EXPECT_EQ(counted({0x48, 0x8d, 0x04, 0x9f}), 2) << "lea (%rdi,%rbx,4),%rax";
    EXPECT_EQ(counted({0x66, 0x0f, 0x1f, 0x44, 0, 0}), 0) << "nopw";
    EXPECT_EQ(counted({0xf3, 0x0f, 0x6f, 0x03}), 0) << "movdqu (%rbx),%xmm0";
}

// A length that is wrong would lose or invent the additions behind it.
TEST(HostCode, FindsWhereTheNextInstructionBegins) {
    const Code add = {0x01, 0xd8};
    const Code others[] = {{0x48, 0xb8, 1, 1, 1, 1, 1, 1, 1, 1},              // movabs
                           {0x66, 0xb8, 1, 1},                                // mov $,%ax
                           {0x64, 0x48, 0x8b, 0x04, 0x25, 1, 1, 1, 1},        // mov %fs:1,%rax
                           {0x48, 0x8b, 0x05, 1, 1, 1, 1},                    // mov 1(%rip),%rax
                           {0xc7, 0x44, 0x24, 0x01, 1, 1, 1, 1},              // movl $,1(%rsp)
                           {0x48, 0xc7, 0x84, 0x24, 1, 1, 1, 1, 1, 1, 1, 1},  // movq $,1(%rsp)
                           {0x41, 0x8b, 0x04, 0x24},                          // mov (%r12),%eax
                           {0x0f, 0xb6, 0x40, 0x01},                          // movzbl 1(%rax),%eax
                           {0xc4, 0xe1, 0xf9, 0x6e, 0xc0},                    // vmovq %rax,%xmm0
                           {0x55},
                           {0x41, 0x57},
                           {0xc3},
                           {0xeb, 1},
                           {0xe9, 1, 1, 1, 1}};
    for (const Code& other : others) {
        Code code = other;
        code.insert(code.end(), add.begin(), add.end());
        EXPECT_EQ(counted(code), 1) << testing::PrintToString(other);
    }
}

TEST(HostCode, AsksWhatIsCalledAndWhatIsEmulated) {
    const Code code = {0x01, 0xd8, 0xe8, 0xfb, 0xff, 0xff, 0xff, 0x01, 0xd8};
    std::int64_t target = 0;
    const auto emulates = [](std::size_t at) { return at == 7; };
    const auto called = [&](std::int64_t to) { return target = to, 5.0; };
    EXPECT_EQ(gpu_instructions(code, emulates, called), 6);
    EXPECT_EQ(target, 2);
}

TEST(HostCode, KnowsTheFunctionsOfTheMathematicalLibrary) {
    float (*volatile fma)(float, float, float) = &::fmaf;
    float (*volatile error)(float) = &::erff;
    const auto function = [](auto* code) {
        return gpu_instructions_of_function(reinterpret_cast<std::uint64_t>(code));
    };
    EXPECT_EQ(function(fma), 1);
    EXPECT_GT(function(error), 5);
    EXPECT_EQ(function(&counted), 0);
}
#endif

TEST(HostCode, OfNothingIsNothing) {
    EXPECT_EQ(gpu_instructions(
                  {}, [](std::size_t) { return false; }, [](std::int64_t) { return 1.0; }),
              0);
}

}  // namespace
}  // namespace lanework
