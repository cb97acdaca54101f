// A kernel's name from the program's symbols, for launches by address.
#include "src/simt/kernel_names.hpp"

#include <gtest/gtest.h>

namespace {

[[gnu::noinline]] void of_this_file(int* data) { *data += 1; }
template <class T, int N>
[[gnu::noinline]] void instance(T* data) {
    *data += N;
}

}  // namespace

namespace lanework_simt {
namespace {

TEST(KernelNames, AreThoseOfStaticFunctionsAndOfInstances) {
    EXPECT_EQ(symbol_name(reinterpret_cast<const void*>(&of_this_file)), "of_this_file");
    EXPECT_EQ(symbol_name(reinterpret_cast<const void*>(&instance<long, 7>)), "instance<long, 7>");
}

TEST(KernelNames, AreEmptyForAddressesThatNoFunctionBeginsAt) {
    const int local = 0;
    EXPECT_EQ(symbol_name(&local), "");
    EXPECT_EQ(symbol_name(nullptr), "");
    EXPECT_EQ(symbol_name(reinterpret_cast<const char*>(&of_this_file) + 1), "");
}

TEST(KernelNames, AreTheFunctionsAloneOfADemangledSymbol) {
    EXPECT_EQ(bare_symbol("add(int*, int)"), "add");
    EXPECT_EQ(bare_symbol("void ns::scale<int, (ns::Kind)2>(int*, void (*)(int))"), "ns::scale<int, (ns::Kind)2>");
    EXPECT_EQ(bare_symbol("(anonymous namespace)::shift((anonymous namespace)::Pair)"), "shift");
    EXPECT_EQ(bare_symbol("plain"), "plain");
    EXPECT_EQ(bare_symbol(""), "");
    EXPECT_EQ(bare_symbol(")"), "");
}

}  // namespace
}  // namespace lanework_simt
