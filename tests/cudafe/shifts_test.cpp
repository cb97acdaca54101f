// Shifts by amounts that may be a word's width or more.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

std::string in_kernel(const std::string& code) { return translated("__device__ void f() { " + code + " }"); }
std::string kernel(const std::string& code) { return "__device__ void f() { " + code + " }"; }
const std::string kClamped = " ::lanework_simt::clamped ";

TEST(Shifts, AreClampedWhereTheAmountIsNoSmallLiteral) {
    EXPECT_EQ(in_kernel("x = a << n;"), kernel("x = a <<" + kClamped + "<<  n;"));
    EXPECT_EQ(in_kernel("x = a[1] >> (n - 3);"), kernel("x = a[1] >>" + kClamped + ">>  (n - 3);"));
    EXPECT_EQ(in_kernel("x = g(1) >> 32;"), kernel("x = g(1) >>" + kClamped + ">>  32;"));
    EXPECT_EQ(in_kernel("x = 1 << 32 - n;"), kernel("x = 1 <<" + kClamped + "<<  32 - n;"));
    EXPECT_EQ(in_kernel("x = 1 << 0x20;"), kernel("x = 1 <<" + kClamped + "<<  0x20;"));
    EXPECT_EQ(in_kernel("a <<= n; b[2] >>= m;"), kernel("a <<=" + kClamped + "=  n; b[2] >>=" + kClamped + "=  m;"));
}

TEST(Shifts, AreLeftAloneWhereTheAmountIsASmallLiteral) {
    for (const std::string code : {"x = a << 3;", "x = a >> 31u;", "x = a >> 0x1F;", "x >>= 1;", "x = (1 << 5) - n;"})
        EXPECT_EQ(in_kernel(code), kernel(code));
}

TEST(Shifts, AreLeftAloneInHostCodeMacrosAndMembersThatMayBeBitFields) {
    EXPECT_EQ(translated("void f() { x = a << n; }"), "void f() { x = a << n; }");
    EXPECT_EQ(in_kernel("s.low <<= n; p->low >>= n;"), kernel("s.low <<= n; p->low >>= n;"));
    const std::string macro = "#define BITS(n) (1 << (n))\n#if BITS(3) > 4\n#endif\n";
    EXPECT_EQ(translated(macro), macro);
}

TEST(Shifts, AreNoTemplatesStreamsAndDeclaredOperators) {
    for (const std::string code : {"Pair<int, Pair<int, int>> both;", "g(Pair<Pair<int>>(x));", "out << x << \"text\";",
                                   "std::cout << x << std::endl;", "using T = A<B<int>>;"})
        EXPECT_EQ(in_kernel(code), kernel(code));
    EXPECT_EQ(translated("__device__ A operator<<(A a, int n);"), "__device__ A operator<<(A a, int n);");
}

}  // namespace
}  // namespace lanework::cudafe
