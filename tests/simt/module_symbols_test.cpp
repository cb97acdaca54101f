// Names of kernels and places of variables from the program's symbols.
#include "src/simt/module_symbols.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

[[gnu::noinline]] void of_this_file(int* data) { *data += 1; }
template <class T, int N>
[[gnu::noinline]] void instance(T* data) {
    *data += N;
}

int written_at_the_start[3] = {1, 2, 3};
double zero_at_the_start;

}  // namespace

namespace module_symbols_test {
float seen_by_others = 4;
}

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

TEST(ModuleVariables, AreThoseOfTheFileThatTheCodeIsIn) {
    zero_at_the_start = written_at_the_start[1]++;
    const auto all = module_variables(reinterpret_cast<const void*>(&of_this_file));
    const auto expect = [&](std::string_view symbol, const void* address, std::size_t bytes) {
        const auto found = std::ranges::find(all, symbol, &ModuleVariable::symbol);
        ASSERT_NE(found, all.end()) << symbol;
        EXPECT_EQ(found->address, address);
        EXPECT_EQ(found->bytes, bytes);
        const bool own = symbol.find("_GLOBAL__N_") != symbol.npos;
        EXPECT_EQ(found->file.empty(), !own);  // files may be compiled together
    };
    expect("_ZN12_GLOBAL__N_120written_at_the_startE", &written_at_the_start, sizeof written_at_the_start);
    expect("_ZN12_GLOBAL__N_117zero_at_the_startE", &zero_at_the_start, sizeof zero_at_the_start);
    expect("_ZN19module_symbols_test14seen_by_othersE", &module_symbols_test::seen_by_others, sizeof(float));
}

TEST(ModuleVariables, AreNoneWhereNothingWasLoaded) { EXPECT_TRUE(module_variables(nullptr).empty()); }

}  // namespace
}  // namespace lanework_simt
