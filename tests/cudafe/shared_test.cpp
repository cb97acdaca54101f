// Declarations of shared memory.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

/// A declaration as the kernel's body has it, blanks made one.
std::string in_kernel(const std::string& declaration) {
    const std::string head = "__global__ void k() {", text = translated(head + declaration + "}");
    std::string result;
    for (const char c : text.substr(head.size(), text.size() - head.size() - 1))
        if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
    return result;
}

TEST(Shared, ArraysBecomeReferences) {
    EXPECT_EQ(in_kernel("__shared__ float a[16][17];"), "float (&a)[16][17] = " + kSlot + ";");
    EXPECT_EQ(in_kernel("__shared__ float a[n], b;"), "float (&a)[n] = " + kSlot + ", &b = " + kSlot + ";");
}

TEST(Shared, KeepsTheShapeOfDeclarators) {
    EXPECT_EQ(
        in_kernel("__shared__ int *p, *r[4], (*q)[3], (*f)(int);"),
        "int *&p = " + kSlot + ", *(&r)[4] = " + kSlot + ", (*&q)[3] = " + kSlot + ", (*&f)(int) = " + kSlot + ";");
}

TEST(Shared, TakesAnyType) {
    for (const std::string type : {"unsigned long long", "typename Foo<T, 3>::Storage", "struct Pair", "volatile float",
                                   "const T", "ns::Foo<(a > b), c<d>>", "::ns::T", "TYPE_OF(x)", "decltype(x)",
                                   "struct { int a, b; }", "struct alignas(8) { int a; }"})
        EXPECT_EQ(in_kernel("__shared__ " + type + " a[2];"), type + " (&a)[2] = " + kSlot + ";");
}

TEST(Shared, TakesSpecifiersInAnyOrder) {
    for (const std::string text : {"static __shared__ float a;", "__shared__ static float a;", "float __shared__ a;",
                                   "__shared__ float a;", "float static __shared__ a;"})
        EXPECT_EQ(in_kernel(text), "float &a = " + kSlot + ";") << text;
    EXPECT_EQ(in_kernel("volatile __shared__ float a[2];"), "volatile float (&a)[2] = " + kSlot + ";");
    EXPECT_EQ(in_kernel("[[maybe_unused]] __shared__ float a;"), "[[maybe_unused]] float &a = " + kSlot + ";");
}

TEST(Shared, PassesAlignmentOn) {
    const auto slot = [](const std::string& alignment) {
        return "[]() -> auto& { struct " + alignment +
               " lanework_aligned {}; static thread_local "
               "::lanework_simt::SharedSlotAligned<alignof(lanework_aligned)> lanework_slot; return lanework_slot; }()";
    };
    EXPECT_EQ(in_kernel("__shared__ __align__(16) char a[8];"), "char (&a)[8] = " + slot("alignas(16)") + ";");
    EXPECT_EQ(in_kernel("alignas(T) __shared__ char a[8];"), "char (&a)[8] = " + slot("alignas(T)") + ";");
    EXPECT_EQ(in_kernel("__shared__ char a[8] __attribute__((aligned(32)));"),
              "char (&a)[8] = " + slot("__attribute__((aligned(32)))") + ";");
    EXPECT_EQ(in_kernel("__attribute__((unused)) __shared__ char a;"),
              "__attribute__((unused)) char &a = " + kSlot + ";");
}

TEST(Shared, DynamicArraysArePointersInFunctions) {
    EXPECT_EQ(in_kernel("extern __shared__ float s[];"), "float *const s = ::lanework_simt::dynamic_shared<float>();");
    EXPECT_EQ(in_kernel("extern __shared__ __align__(16) unsigned char s[];"),
              "unsigned char *const s = ::lanework_simt::dynamic_shared<unsigned char>();");
    EXPECT_EQ(
        in_kernel("extern volatile __shared__ typename A<T, 2>::B s[];"),
        "volatile typename A<T, 2>::B *const s = ::lanework_simt::dynamic_shared<volatile typename A<T, 2>::B>();");
    EXPECT_EQ(in_kernel("extern __shared__ float s[][4];"),
              "float (*const s)[4] = ::lanework_simt::dynamic_shared<float[4]>();");
    EXPECT_EQ(in_kernel("extern __shared__ float *p[], q[];"),
              "float **const p = ::lanework_simt::dynamic_shared<float *>(), *const q = "
              "::lanework_simt::dynamic_shared<float>();");
}

TEST(Shared, DynamicArraysOutsideFunctionsConvert) {
    const std::string head = "[[maybe_unused]] static ::lanework_simt::DynamicShared<";
    EXPECT_EQ(translated("extern __shared__ float s[];"), "   " + head + "float> s;");
    EXPECT_EQ(translated("namespace n { extern \"C\" {extern __shared__ int a[], b[][2];}}"),
              "namespace n { extern \"C\" {   " + head + "int> a; " + head + "int[2]> b;}}");
    EXPECT_EQ(translated("struct A { void f() {extern __shared__ int a[];} };"),
              "struct A { void f() {  int *const a = ::lanework_simt::dynamic_shared<int>();} };");
}

TEST(Shared, KnowsFunctionsBehindConditionalBraces) {
    EXPECT_NE(
        translated("#ifdef A\nvoid f(int) {\n#else\nvoid f() {\n#endif\n}\nextern __shared__ int s[];").find("static"),
        std::string::npos);
}

TEST(Shared, KeepsLinesAndComments) {
    const std::string text = "void k() {\n__shared__ float // first\n  a[2], /* second */\n  b; }\n";
    EXPECT_EQ(translated(text),
              "void k() {\n float // first\n  (&a)[2] = " + kSlot + ", /* second */\n  &b = " + kSlot + "; }\n");
}

TEST(Shared, KeepsTheLinesOfASplitWord) {
    EXPECT_EQ(translated("void k() {__sha\\\nred__ int a;\n}"), "void k() {\\\n int &a = " + kSlot + ";\n}");
}

TEST(Shared, WorksInMacros) {
    EXPECT_EQ(translated("#define TILE(T, name) \\\n  __shared__ T name[2]\n"),
              "#define TILE(T, name) \\\n   T (&name)[2] = " + kSlot + "\n");
    EXPECT_EQ(translated("#define TILE(n) __shared__ int tile_##n[2];\n"),
              "#define TILE(n)  int (&tile_##n)[2] = " + kSlot + ";\n");
}

TEST(Shared, FollowsAMacroThatStandsForTheWord) {
    EXPECT_EQ(translated("#define SHARED __shared__\nvoid k() {SHARED int a;}\n"),
              "#define SHARED \nvoid k() { int &a = " + kSlot + ";}\n");
    const std::string fallback = "#ifndef __CUDACC__\n#define __shared__\n#endif\n";
    EXPECT_EQ(translated(fallback), fallback);
}

TEST(Shared, OutsideFunctionsBecomesAFunctionThatIsCalledWhereItIsUsed) {
    const std::string body = " { return " + kSlot + "; }";
    EXPECT_EQ(
        translated("__shared__ int a[4][2];\nvoid k() { a[1][0] = s.a + sizeof(a); }\n"),
        "[[maybe_unused]] static inline  int (&a())[4][2]" + body + "\nvoid k() { a()[1][0] = s.a + sizeof(a()); }\n");
    EXPECT_EQ(translated("static __shared__ float sum;\nvoid k(float* p) { p[0] = 2 * sum; }\n"
                         "float f(float* sum) { return *sum; }\nvoid g() { int sum = 1; h(sum); }\n"),
              "[[maybe_unused]] static inline   float &sum()" + body +
                  "\nvoid k(float* p) { p[0] = 2 * sum(); }\n"
                  "float f(float* sum) { return *sum; }\nvoid g() { int sum = 1; h(sum); }\n");
}

TEST(Shared, OutsideFunctionsIsUsedByMacrosToo) {
    EXPECT_EQ(translated("#define AT(i) a[i]\nextern __shared__ int a[];\nvoid k() { AT(1) = *(a + 2); }\n"),
              "#define AT(i) a()[i]\n   [[maybe_unused]] static ::lanework_simt::DynamicShared<int> a;\n"
              "void k() { AT(1) = *(a() + 2); }\n");
}

TEST(Shared, RefusesWhatIsNotCuda) {
    const std::string initializer =
        "error: a __shared__ variable cannot have an initializer: assign to it in the kernel";
    EXPECT_EQ(complaint("void k() {\n __shared__ int a = 1; }"), "2:2: " + initializer);
    EXPECT_EQ(complaint("void k() { __shared__ int a[2]{}; }"), "1:12: " + initializer);
    EXPECT_EQ(complaint("__shared__ int a, b;"),
              "1:1: error: __shared__ variables outside functions: expected one in each declaration");
    EXPECT_EQ(complaint("void k() { __shared__ int a }"),
              "1:12: error: this __shared__ declaration does not end: expected ';' before }");
    EXPECT_EQ(complaint("void k() { __shared__ int; }"),
              "1:12: error: this __shared__ declaration names no variable: expected __shared__ type name;");
    EXPECT_EQ(complaint("void k() { extern __shared__ int a; }"),
              "1:34: error: extern __shared__ memory gets its length from the launch: expected an array, a[]");
    EXPECT_EQ(complaint("#define S static __shared__\n"),
              "1:18: error: this __shared__ declaration names no variable: a macro has to hold all of it, or the word "
              "__shared__ alone");
}

TEST(Noinline, BecomesAnAttributeWhereItIsNone) {
    EXPECT_EQ(translated("__device__ __noinline__ int f();"), "__device__ __attribute__((noinline)) int f();");
    for (const std::string text :
         {"__attribute__((__noinline__)) int f();", "__attribute__((cold, __noinline__)) int f();",
          "[[gnu::__noinline__]] int f();", "#define __noinline__ x\n"})
        EXPECT_EQ(translated(text), text);
}

}  // namespace
}  // namespace lanework::cudafe
