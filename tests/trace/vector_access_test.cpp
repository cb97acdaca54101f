// Machine code as compilers write it behind the hook of an access of 16 bytes.
#include "src/trace/record/vector_access.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lanework {
namespace {

using Code = std::vector<std::uint8_t>;
Code operator+(Code first, const Code& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

const Code kUnalignedLoad = {0xf3, 0x41, 0x0f, 0x6f, 0x44, 0x05, 0x00};  // movdqu 0x0(%r13,%rax,1),%xmm0
const Code kAlignedLoad = {0x66, 0x41, 0x0f, 0x6f, 0x44, 0x05, 0x00};    // movdqa 0x0(%r13,%rax,1),%xmm0
const Code kUnalignedStore = {0x0f, 0x11, 0x44, 0xd6, 0x08};             // movups %xmm0,0x8(%rsi,%rdx,8)
const Code kAlignedStore = {0x0f, 0x29, 0x44, 0x07, 0x08};               // movaps %xmm0,0x8(%rdi,%rax,1)
const Code kSpill = {0x0f, 0x29, 0x04, 0x24};                            // movaps %xmm0,(%rsp)
const Code kConstant = {0x0f, 0x28, 0x05, 0x28, 0x09, 0x00, 0x00};       // movaps 0x928(%rip),%xmm0
const Code kCall = {0xe8, 0x00, 0x01, 0x00, 0x00};
const Code kReturn = {0xc3};

const Code kDoubleLoad = {0xf2, 0x41, 0x0f, 0x58, 0x56, 0x08};  // addsd 0x8(%r14),%xmm2
const Code kLongStore = {0x49, 0x89, 0x6c, 0x24, 0x08};         // mov %rbp,0x8(%r12)
const Code kFloatStore = {0xf3, 0x0f, 0x11, 0x45, 0x00};        // movss %xmm0,0x0(%rbp)

constexpr bool kLoads = false, kStores = true;
constexpr WideAccess kVector = WideAccess::vector, kWords = WideAccess::words, kUnknown = WideAccess::unknown;

TEST(VectorAccess, IsOfWordsWhereItsMoveTakesAnyAddress) {
    EXPECT_EQ(wide_access(kUnalignedLoad, 0, kLoads), kWords);
    EXPECT_EQ(wide_access(kAlignedLoad, 0, kLoads), kVector);
    EXPECT_EQ(wide_access(kUnalignedStore, 0, kStores), kWords);
    EXPECT_EQ(wide_access(kAlignedStore, 0, kStores), kVector);
}

TEST(VectorAccess, IsTheFirstThatGoesItsWay) {
    EXPECT_EQ(wide_access(kCall + kUnalignedLoad + kAlignedStore, 5, kLoads), kWords);
    EXPECT_EQ(wide_access(kCall + kUnalignedLoad + kAlignedStore, 5, kStores), kVector);
    EXPECT_EQ(wide_access(kAlignedLoad + kCall + kUnalignedStore, 0, kLoads), kVector);
    EXPECT_EQ(wide_access(kAlignedLoad + kCall + kUnalignedStore, 0, kStores), kWords);
}

TEST(VectorAccess, IsNeitherASpillNorAConstant) {
    EXPECT_EQ(wide_access(kSpill + kUnalignedStore, 0, kStores), kWords);
    EXPECT_EQ(wide_access(kConstant + kUnalignedLoad, 0, kLoads), kWords);
}

TEST(VectorAccess, IsOfAVectorWhereMembersOfFourBytesFollow) {
    EXPECT_EQ(wide_access(kFloatStore, 0, kStores), kVector);
    EXPECT_EQ(wide_access(kDoubleLoad, 0, kLoads), kUnknown);
    EXPECT_EQ(wide_access(kDoubleLoad + kLongStore, 0, kStores), kUnknown);
}

TEST(VectorAccess, IsNotKnownBehindABranchOrWhereTheCodeEnds) {
    EXPECT_EQ(wide_access(kReturn + kUnalignedStore, 0, kStores), kUnknown);
    EXPECT_EQ(wide_access(Code{0x74, 0x02} + kUnalignedStore, 0, kStores), kUnknown);
    EXPECT_EQ(wide_access({}, 0, kStores), kUnknown);
    EXPECT_EQ(wide_access_of_program(16, kStores), kUnknown);
}

}  // namespace
}  // namespace lanework
