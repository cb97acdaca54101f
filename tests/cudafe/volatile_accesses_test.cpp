// Accesses of volatile memory, and where lanes come together again.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

/// The text as cudafe leaves it for a program.
std::string in_step(const std::string& text, Lockstep lockstep = Lockstep::called) {
    const TokenizedFile file = tokenize(text);
    Words words;
    collect_macros(file, words);
    collect_words(file, words);
    collect_volatile({&file}, lockstep, words);
    return translate(file, words).apply(text);
}

std::string replaced(std::string text, const std::string& mark, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += by.size())
        text.replace(at, mark.size(), by);
    return text;
}

/// What the body of a function of the device becomes, without columns: L(access) and R for a rejoin.
std::string body(const std::string& code, const std::string& parameters = "volatile int* s, int t",
                 Lockstep lockstep = Lockstep::called) {
    const std::string head = "__device__ void f(" + parameters + ") {";
    std::string text = in_step(head + code + "}", lockstep).substr(head.size());
    text.pop_back();
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        result += text[i];
        if (text[i] != ',' || text[i + 1] != ' ') continue;
        std::size_t end = i + 2;
        while (end < text.size() && isdigit(static_cast<unsigned char>(text[end]))) ++end;
        if (end > i + 3 && text[end] == ')') {
            result.pop_back();
            i = end - 1;
        }
    }
    result = replaced(result, "::lanework_simt::lockstep", "L");
    for (std::size_t at = 0; (at = result.find("::lanework_simt::rejoin(", at)) != result.npos;)
        result.replace(at, result.find(')', at) + 1 - at, "R");
    return result;
}

TEST(VolatileAccesses, AreWaitedFor) {
    EXPECT_EQ(body("s[t] += s[t + 16];"), "L(s[t]) += L(s[t + 16]);");
    EXPECT_EQ(body("s[s[t]] = *s + *(s + t);"), "L(s[L(s[t])]) = L(*s) + L(*(s + t));");
    EXPECT_EQ(body("x = a * s[t] - -s[1];"), "x = a * L(s[t]) - -L(s[1]);");
    EXPECT_EQ(body("*s++ = 1; return *s;"), "L(*s++) = 1; return L(*s);");
    EXPECT_EQ(body("s[t][1] = o.s[0] + p->s[1];", "volatile int (*s)[3], int t"),
              "L(s[t][1]) = L(o.s[0]) + L(p->s[1]);");
    EXPECT_EQ(body("g(&s[t], max(s[0], s[1]));"), "g(&L(s[t]), max(L(s[0]), L(s[1])));");
}

TEST(VolatileAccesses, OfWordsInMacrosAreThoseOfArraysAndOfFilesVariables) {
    // A header has a function with a volatile variable b somewhere.
    const std::string function = "__device__ void f(volatile int b) { b = 1; }";
    for (const std::string macro : {"#define JOIN(a, b) JOIN_AUX(a, b)\n", "#define JOIN_AUX(a, b) a##b\n",
                                    "#define PLUS(T) T operator+(T a, const T& b);\n"})
        EXPECT_TRUE(in_step(macro + function).starts_with(macro)) << macro;
    EXPECT_TRUE(in_step("#define ADD(k) b += k\n__device__ volatile int b; __device__ void f() { ADD(1); }")
                    .starts_with("#define ADD(k) ::lanework_simt::lockstep(b) += k\n"));
    EXPECT_TRUE(in_step("#define NAME b##_of\n__device__ volatile int b; __device__ void f() { b = 1; }")
                    .starts_with("#define NAME b##_of\n"));
}

TEST(VolatileAccesses, ThroughCastsAreWaitedFor) {
    EXPECT_EQ(body("*(volatile int*)p = 1;", ""), "L(*(volatile int*)p) = 1;");
    EXPECT_EQ(body("x = *(volatile int*)&p[t] + 1;", ""), "x = L(*(volatile int*)&p[t]) + 1;");
    EXPECT_EQ(body("((volatile float*)p)[t] = 1;", ""), "L(((volatile float*)p)[t]) = 1;");
    EXPECT_EQ(body("x = *((volatile int*)p + t);", ""), "x = L(*((volatile int*)p + t));");
    EXPECT_EQ(body("reinterpret_cast<volatile int*>(p)[t] = *const_cast<volatile int*>(q);", ""),
              "L(reinterpret_cast<volatile int*>(p)[t]) = L(*const_cast<volatile int*>(q));");
    EXPECT_EQ(body("auto p = (volatile int*)q; p[t] = 1;", ""), "auto p = (volatile int*)q; L(p[t]) = 1;");
}

TEST(VolatileAccesses, AreKnownByDeclarationsOfAllForms) {
    for (const std::string declaration :
         {"volatile float* v = p;", "float volatile* v = p;", "volatile T* const __restrict__ v = p;",
          "const volatile unsigned int v[4];", "volatile std::uint32_t *u, *v;", "volatile pair<int, int> v[2];"})
        EXPECT_EQ(body(declaration + " v[t];", ""), declaration + " L(v[t]);");
    EXPECT_EQ(body("volatile int one = 1; one = one + 1; g(&one);", ""),
              "volatile int one = 1; L(one) = L(one) + 1; g(&L(one));");
}

TEST(VolatileAccesses, AreKnownByTypesAndMacrosOfTheirOwn) {
    const auto ends_with = [](const std::string& text, const std::string& end) { return text.ends_with(end); };
    for (const std::string first :
         {"typedef volatile int vint;", "using vint = volatile int;", "#define vint volatile int\n"})
        EXPECT_PRED2(ends_with, in_step(first + "__device__ void f(vint* s) { s[0] = 1; }"),
                     "f(vint* s) { ::lanework_simt::lockstep(s[0], " +
                         std::to_string(first.ends_with('\n') ? 30 : 30 + first.size()) + ") = 1; }");
    EXPECT_PRED2(ends_with,
                 in_step("#define STEP(k) s[t] += s[t + k]\n__device__ void f(volatile int* s) { STEP(1); }"),
                 "{ STEP(1); }");
    EXPECT_TRUE(
        in_step("#define STEP(k) s[t] += s[t + k]\n__device__ void f(volatile int* s) { STEP(1); }")
            .starts_with("#define STEP(k) ::lanework_simt::lockstep(s[t]) += ::lanework_simt::lockstep(s[t + k])"));
}

TEST(VolatileAccesses, AreNoDeclarationsNoAssemblyAndNobodyElses) {
    for (const std::string text :
         {"void f(volatile int* s) { s[0] = 1; for (;;) s[1]; }",  // the host's
          "__device__ void f() { asm volatile(\"x\" : : \"r\"(s[0])); if (t) s[0] = 1; }",
          "__device__ void g(volatile int* s); __global__ void f(int* s) { for (;;) s[0] = 1; }",
          "__device__ void f(volatile int* s) { int a = sizeof(decltype(a)); }"})
        EXPECT_EQ(in_step(text), text);
    EXPECT_EQ(body("{ T* s[3]; int s[2]; }"), "{ T* s[3]; int s[2]; }");
}

TEST(VolatileAccesses, LetLanesRejoinBehindBranchesAndLoops) {
    EXPECT_EQ(body("if (t) s[t] = 1; x;"), "if (t) L(s[t]) = 1; R; x;");
    EXPECT_EQ(body("if (t) s[t] = 1; else { y; } x;"), "if (t) L(s[t]) = 1; else { y; } R; x;");
    EXPECT_EQ(body("for (;;) if (t) s[t] = 1;"), "for (;;) { if (t) L(s[t]) = 1; R; } R;");
    EXPECT_EQ(body("do s[t] = 1; while (t);"), "do L(s[t]) = 1; while (t); R;");
    EXPECT_EQ(body("if (t) x; while (t) { y; }"), "if (t) x; while (t) { y; }");
}

TEST(VolatileAccesses, LetLanesRejoinWhereContinueLeads) {
    EXPECT_EQ(body("for (a; b; c) { if (t) continue; s[t]; }"), "for (a; b; c, R) { if (t) continue; L(s[t]); } R;");
    EXPECT_EQ(body("for (a; b;) { if (t) continue; s[t]; }"), "for (a; b; R) { if (t) continue; L(s[t]); } R;");
    EXPECT_EQ(body("while (b) { if (t) continue; s[t]; }"), "while (R, (b)) { if (t) continue; L(s[t]); } R;");
}

TEST(VolatileAccesses, OfCalledFunctionsLetCallersRejoin) {
    const std::string called = "__device__ void g(volatile int* s) { s[0] = 1; }";
    const std::string text = in_step(called + "__global__ void f() { if (x) g(p); y; }");
    EXPECT_NE(text.find("if (x) g(p); ::lanework_simt::rejoin("), text.npos) << text;
}

TEST(VolatileAccesses, OfInstrumentedCodeAreItsHooks) {
    EXPECT_EQ(body("if (t) s[t] = 1;", "volatile int* s, int t", Lockstep::hooked), "if (t) s[t] = 1; R;");
    EXPECT_EQ(body("if (t) s[t] = 1;", "volatile int* s, int t", Lockstep::none), "if (t) s[t] = 1;");
}

}  // namespace
}  // namespace lanework::cudafe
