// A load whose value is only moved, told by the code behind it: bytes as g++ writes them.
#include "src/trace/record/moved_values.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace lanework {
namespace {

using Code = std::vector<std::uint8_t>;

constexpr std::int64_t kStoreHook = 0x1000, kOther = 0x2000;

Code operator+(Code a, const Code& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// A call from behind `before`.
Code call(const Code& before, std::int64_t target) {
    const auto distance = static_cast<std::uint32_t>(target - static_cast<std::int64_t>(before.size()) - 5);
    Code made = before;
    made.push_back(0xe8);
    for (unsigned i = 0; i < 4; ++i) made.push_back(static_cast<std::uint8_t>(distance >> (8 * i)));
    return made;
}

MovedValue follow(const Code& code) {
    return moved_value(code, 0, [](std::int64_t to) {
        return to == kStoreHook ? Callee::store_hook : to == kOther ? Callee::other : Callee::hook;
    });
}

const Code kLoad = {0xf3, 0x0f, 0x10, 0x03};                // movss (%rbx),%xmm0
const Code kSpill = {0xf3, 0x0f, 0x11, 0x44, 0x24, 0x08};   // movss %xmm0,0x8(%rsp)
const Code kReload = {0xf3, 0x0f, 0x10, 0x44, 0x24, 0x08};  // movss 0x8(%rsp),%xmm0
const Code kStore = {0xf3, 0x0f, 0x11, 0x45, 0x00};         // movss %xmm0,0x0(%rbp)
const Code kReturn = {0xc3};

/// As a copy from one array to another is compiled; `between` follows the store.
Code copy(const Code& between) { return call(kLoad + kSpill, kStoreHook) + kReload + kStore + between; }

TEST(MovedValues, ACopyIsKnownWithItsStore) {
    const MovedValue found = follow(call(copy({}), 0x500) + kReturn);
    EXPECT_TRUE(found.only_moved);
    EXPECT_EQ(found.stores, std::vector<std::uint64_t>{kLoad.size() + kSpill.size() + 5});
    EXPECT_TRUE(found.is_stored_by(found.stores[0]));
    EXPECT_FALSE(found.is_stored_by(1));
}

TEST(MovedValues, OneThatIsNeverUsedIsMovedToNoStore) {
    const MovedValue found = follow(call(kLoad, 0x500) + kReturn);
    EXPECT_TRUE(found.only_moved);
    EXPECT_TRUE(found.stores.empty());
}

TEST(MovedValues, WhatIsDoneBesideTheCopyIsAUse) {
    for (const Code& use : {Code{0xf3, 0x0f, 0x58, 0xc8},              // addss %xmm0,%xmm1
                            Code{0x0f, 0x2f, 0xc8},                    // comiss %xmm0,%xmm1
                            Code{0xf3, 0x0f, 0x58, 0x4c, 0x24, 0x08},  // addss 0x8(%rsp),%xmm1
                            Code{0x48, 0x8d, 0x7c, 0x24, 0x08},        // lea 0x8(%rsp),%rdi
                            Code{0xff, 0xe0}})                         // jmp *%rax
        EXPECT_FALSE(follow(call(copy(use), 0x500) + kReturn).only_moved) << testing::PrintToString(use);
    EXPECT_FALSE(follow(copy({}) + kReturn).only_moved) << "it is what a function returns";
    EXPECT_FALSE(follow(call(copy({}), kOther) + kReturn).only_moved) << "it may be an argument";
    EXPECT_FALSE(follow(kLoad + kStore + kReturn).only_moved) << "a store without a hook";
}

TEST(MovedValues, OfWholeNumbersArithmeticComparisonsAndAddressesAreUses) {
    const Code load = {0x8b, 0x03};  // mov (%rbx),%eax
    const Code clear = {0x31, 0xc0};
    EXPECT_TRUE(follow(load + Code{0x89, 0xc1} + clear + Code{0x31, 0xc9} + kReturn).only_moved) << "mov %eax,%ecx";
    EXPECT_TRUE(follow(load + Code{0x83, 0xe9, 0x01} + clear + kReturn).only_moved)
        << "sub $1,%ecx: of another register";
    for (const Code& use : {Code{0x83, 0xe8, 0x01},         // sub $1,%eax
                            Code{0x85, 0xc0},               // test %eax,%eax
                            Code{0x8b, 0x0c, 0x83},         // mov (%rbx,%rax,4),%ecx
                            Code{0x48, 0x63, 0xc0},         // movslq %eax,%rax
                            Code{0x0f, 0x44, 0xc8},         // cmove %eax,%ecx
                            Code{0x0f, 0xaf, 0xc8},         // imul %eax,%ecx
                            Code{0xf7, 0xf9},               // idiv %ecx
                            Code{0x99},                     // cltd
                            Code{0xf3, 0x0f, 0x2a, 0xc0},   // cvtsi2ss %eax,%xmm0
                            Code{0x50, 0x59, 0xff, 0xd1}})  // push %rax, pop %rcx, call *%rcx
        EXPECT_FALSE(follow(load + use + clear + kReturn).only_moved) << testing::PrintToString(use);
    EXPECT_FALSE(follow({0x03, 0x03, 0x31, 0xc0, 0xc3}).only_moved) << "add (%rbx),%eax: the load itself computes";
}

TEST(MovedValues, EveryPathIsFollowed) {
    const Code use = {0xf3, 0x0f, 0x58, 0xc8};
    const auto skipping = [&](const Code& skipped) {
        return kLoad + Code{0x74, static_cast<std::uint8_t>(skipped.size())} + skipped;
    };
    const auto end = [](const Code& code) { return call(code, 0x500) + kReturn; };
    EXPECT_FALSE(follow(end(skipping(use))).only_moved);
    EXPECT_TRUE(follow(end(skipping({0x90}))).only_moved);
}

TEST(MovedValues, AnOlderValueThatIsStoredBehindTheNextLoadIsNotUnderstood) {
    // 0: movss (%rbx),%xmm0; call hook of a store; movss 0x8(%rsp),%xmm0; movss %xmm0,0x0(%rbp); jmp 0, with the value
    // saved behind the load: what is stored is of this round or, where the save is skipped, of the one before.
    const Code head = kLoad + Code{0x74, 0x06} + kSpill;
    const Code body = call(head, kStoreHook) + kReload + kStore + Code{0x31, 0xc0};
    const Code loop = call(body, 0x500);
    const Code back = loop + Code{0xeb, static_cast<std::uint8_t>(-static_cast<int>(loop.size()) - 2)};
    EXPECT_FALSE(follow(back).only_moved);
}

TEST(MovedValues, WhatIsNoCodeIsNotUnderstood) {
    EXPECT_FALSE(follow({}).only_moved);
    EXPECT_FALSE(follow(kLoad).only_moved) << "it ends too early";
    EXPECT_FALSE(moved_value_of_program(16).only_moved);
}

}  // namespace
}  // namespace lanework
