// Atomic functions whose old value nobody uses.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

const std::string kMark = "::lanework_simt::discard_old_value(), ";

TEST(Reductions, AreAtomicsThatStandAlone) {
    for (const std::string before : {"x;", "{", "else", "do", "if (y(1))", "for (;;)", "while (z)", "if constexpr (n)"})
        EXPECT_EQ(translated("void f() { " + before + " atomicAdd(p + g(2), 1); }"),
                  "void f() { " + before + " " + kMark + "atomicAdd(p + g(2), 1); }");
    EXPECT_EQ(translated("void f() { atomicMax_block(&m, v); }"), "void f() { " + kMark + "atomicMax_block(&m, v); }");
    EXPECT_EQ(translated("void f() { atomicOr_system(&m, v); }"), "void f() { " + kMark + "atomicOr_system(&m, v); }");
}

TEST(Reductions, AreNoAtomicsWhoseValueIsUsed) {
    for (const std::string code :
         {"int i = atomicAdd(p, 1);", "return atomicAdd(p, 1);", "if (atomicAdd(p, 1) == 0) g();",
          "g(atomicAdd(p, 1));", "atomicAdd(p, 1) + 1;", "x = (float)atomicAdd(p, 1);", "c ? a : atomicAdd(p, 1);"})
        EXPECT_EQ(translated("void f() { " + code + " }"), "void f() { " + code + " }");
}

TEST(Reductions, AreNoExchangesAndNoNamesAlike) {
    for (const std::string code : {"atomicExch(p, 1);", "atomicCAS(p, 1, 2);", "myatomicAdd(p, 1);", "atomicAdd;"})
        EXPECT_EQ(translated("void f() { " + code + " }"), "void f() { " + code + " }");
}

TEST(Reductions, AreNotDeclarations) {
    EXPECT_EQ(translated("int atomicAdd(int* p, int v);"), "int atomicAdd(int* p, int v);");
}

}  // namespace
}  // namespace lanework::cudafe
