// Which kernels' threads take part in rounds, and that one whose threads keep anything, or know each other apart by
// more than their place, does not.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

constexpr const char* kMain = "\nint main() { k<<<1, 32>>>(p, n); }";

bool launched_by(const std::string& launcher, const std::string& text) {
    const std::string program = translated_in_rounds(text + kMain);
    return program.find("::lanework_simt::" + launcher + "(\"k\"") != program.npos ||
           program.find("::lanework_simt::" + launcher + "<true>(\"k\"") != program.npos;
}
std::string kernel_of(const std::string& body, const std::string& before = "",
                      const std::string& parameters = "float* p, int n") {
    return before + "\n__global__ void k(" + parameters + ") { " + body + " }";
}
bool strides(const std::string& body, const std::string& before = "",
             const std::string& parameters = "float* p, int n") {
    return launched_by("stride_launcher", kernel_of(body, before, parameters));
}
bool guarded(const std::string& body, const std::string& before = "") {
    return launched_by("guarded_launcher", kernel_of(body, before));
}

/// A loop over the grid's stride with this body.
std::string loop(const std::string& body) {
    return "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) " + body;
}

TEST(Rounds, LoopsOverTheGridsStrideAreFoundHoweverTheyAreWritten) {
    const std::string place = "blockIdx.x * blockDim.x + threadIdx.x", width = "gridDim.x * blockDim.x";
    for (const std::string& body :
         {loop("p[i] = 2 * p[i];"), loop("{ float x = p[i]; if (x < 0) continue; p[i] = sqrtf(x); }"),
          "for (size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x; i < n; i += (size_t)" + width + ") p[i] = i;",
          "int i = " + place + "; for (; n > i; i = i + " + width + ") p[i] = 1;",
          "int first = " + place + "; int step = " + width + "; for (int i = first; i <= n - 1; i += step) p[i] = 1;",
          "unsigned i = " + place + "; while (i < n) { p[i] = 1; i += " + width + "; }",
          "const int total = n * 4; " + loop("for (int j = 0; j < 4; ++j) { if (p[j] > total) break; p[i] += j; }"),
          loop("p[i] += n;"), loop("atomicAdd(&p[i], 1.0f);"), loop("--p[i];")})
        EXPECT_TRUE(strides(body)) << body;
    EXPECT_TRUE(strides("for (int i = " + place + "; i < kCount; i += " + width + ") p[i] = COUNT;",
                        "constexpr int kCount = 100;\n#define COUNT (2 * 50)"));
    EXPECT_TRUE(launched_by(
        "stride_launcher",
        "template <class T, int N> " +
            kernel_of("for (int i = " + place + "; i < N; i += " + width + ") p[i] = a * p[i];", "", "T* p, T a")));
    EXPECT_TRUE(strides(loop("p[i] = twice(p[i], n);"), "__device__ float twice(float x, int n) { return n * x; }"));
    EXPECT_TRUE(strides(loop("p[AT(i, 2)] = 1;"), "#define AT(i, j) ((i) * 4 + (j))"));
}

TEST(Rounds, WhatAThreadKeepsFromOneRoundToTheNextMakesItsLoopItsOwn) {
    for (const std::string& body :
         {"float sum = 0; " + loop("{ sum += p[i]; p[i] = sum; }"),
          "int last = 0; " + loop("{ p[i] = last; last = i; }"), loop("{ p[i] = 1; ++n; }"), loop("{ p[i] = 1; n--; }"),
          loop("{ p[i] = 1; --(n); }"), loop("p++[i] = 1;"), loop("(&p)[0] = 0;"), loop("{ int& m = n; m = i; }"),
          loop("{ int* m = &n; *m = i; }"), loop("{ change(n); p[i] = n; }"), loop("{ auto change = [&] { n = 1; }; }"),
          loop("{ (n) = i; }"), loop("{ (i ? n : n) = i; }"), loop("{ SET(n); }"), loop("{ i += 1; p[i] = 1; }"),
          loop("{ n <<= 1; }"), loop("{ hide(n); }")})
        EXPECT_FALSE(strides(body,
                             "__device__ void change(int& n) { n = 1; }\n#define SET(x) x = 1\n"
                             "typedef int& Hidden; __device__ void hide(Hidden x) { x = 1; }"))
            << body;
    EXPECT_FALSE(strides("struct S { float a; }; " + loop("p[i] = 1;")));
    EXPECT_FALSE(strides(loop("{ s.a = i; p[i] = s.a; }"), "struct S { float a; };", "float* p, int n, S s"));
    EXPECT_TRUE(strides(loop("{ s = i; p[i] = s; }"), "", "float* p, int n, float& s"));
}

TEST(Rounds, WhatLeavesALoopOrFollowsItMakesItTheThreadsOwn) {
    for (const std::string& body :
         {loop("{ if (p[i] < 0) return; p[i] = 1; }"), loop("{ if (p[i] < 0) break; p[i] = 1; }"),
          loop("p[i] = 1;") + " p[0] = 2;", loop("p[i] = 1;") + loop("p[i] = 2;"),
          std::string("p[0] = 1; ") + loop("p[i] = 1;"),
          std::string("int i = blockIdx.x * blockDim.x + threadIdx.x; while (i < n) { if (p[i] < 0) continue; p[i] = "
                      "1; i += blockDim.x * "
                      "gridDim.x; }")})
        EXPECT_FALSE(strides(body)) << body;
    EXPECT_FALSE(strides("\n#pragma unroll\n" + loop("p[i] = 1;")));
    EXPECT_FALSE(strides("\n#ifdef A\n" + loop("p[i] = 1;") + "\n#endif\n"));
}

TEST(Rounds, AThreadThatKnowsItsPlaceOtherwiseIsNoRounds) {
    const std::string place = "blockIdx.x * blockDim.x + threadIdx.x", width = "gridDim.x * blockDim.x";
    for (const std::string& body :
         {loop("p[i] = threadIdx.x;"), loop("p[i] = " + place + ";"),
          "int me = " + place + "; for (int i = me; i < n; i += " + width + ") p[i] = me;",
          "int i = " + place + "; int row = i / 4; for (; i < n; i += " + width + ") p[i] = row;",
          "int i = " + place + "; float* q = p + i; for (; i < n; i += " + width + ") q[i] = 1;",
          "for (short i = " + place + "; i < n; i += " + width + ") p[i] = 1;",
          "for (int i = " + place + "; i < n; i += blockDim.x) p[i] = 1;",
          "for (int i = " + place + "; i < n; i += 2 * " + width + ") p[i] = 1;",
          "for (int i = " + place + "; i < n; i -= " + width + ") p[i] = 1;",
          "for (int i = " + place + "; i > n; i += " + width + ") p[i] = 1;",
          "for (int i = " + place + "; i < p[0]; i += " + width + ") p[i] = 1;",
          "for (int i = " + place + "; i < n && p[i] > 0; i += " + width + ") p[i] = 1;",
          "for (int i = " + place + "; i < n - i; i += " + width + ") p[i] = 1;",
          "for (int i = 2 * (" + place + "); i < n; i += " + width + ") p[i] = 1;"})
        EXPECT_FALSE(strides(body)) << body;
    EXPECT_FALSE(
        strides(loop("p[i] = me();"), "__device__ int me() { return blockIdx.x * blockDim.x + threadIdx.x; }"));
    EXPECT_FALSE(strides("for (int i = " + place + "; i < n; i += " + width + ") p[i] = 1;", "", "float* p, int& n"));
    // Another kernel of the name, which does otherwise.
    EXPECT_FALSE(strides(loop("p[i] = 1;"), "__global__ void k(int* p, int n) { p[n] = 1; }"));
    EXPECT_FALSE(strides(loop("p[i] = 1;"), "#define KERNEL __global__\nKERNEL void k(int* p, int n) { p[n] = 1; }"));
}

TEST(Rounds, ConditionsThatHoldUpToOneThreadGuardARow) {
    const std::string i = "unsigned i = blockIdx.x * blockDim.x + threadIdx.x; ",
                      y = "int y = blockIdx.y * blockDim.y + threadIdx.y; ";
    for (const std::string& body :
         {i + "if (i < n) p[i] = 1;", i + "if (n > i) { p[i] = 1; }",
          i + "if (i >= n) return; p[i] = threadIdx.x; p[0] = 1;", i + y + "if (i < n && y < 4) p[i] = y;",
          i + y + "if (i >= n || y >= n) { return; } p[i] = y;", i + "const float a = n / 2; if (i < a * 2) p[i] = a;",
          i + "if (i <= gridDim.x * 4) p[i] = 1;"})
        EXPECT_EQ(body.find("= threadIdx.x") == body.npos, guarded(body)) << body;
    for (const std::string& body :
         {i + "if (i > n) p[i] = 1;", i + "if (i < n) p[i] = 1; else p[0] = 1;", i + "if (i < n) p[i] = 1; p[0] = 1;",
          i + "if (i < n) return; p[i] = 1;", i + "if (i < n || n == 4) p[i] = 1;", i + "if (i >= n && n == 4) return;",
          i + "if (i < p[0]) p[i] = 1;", i + "int j = i / 2; if (j < n) p[i] = 1;", i + "if (i < n && i > 0) p[i] = 1;",
          i + "p[0] = 1; if (i < n) p[i] = 1;", i + "if (i < n == 1) p[i] = 1;",
          i + "if (i < (i < 3 ? 1 : n)) p[i] = 1;", i + "float x = p[i]; if (i < n) p[i] = x;",
          i + "if (i < n++) p[i] = 1;", i + "if (!(i < n)) return; p[i] = 1;"})
        EXPECT_FALSE(guarded(body)) << body;
}

TEST(Rounds, AreWrittenOnTheLinesWhereTheLoopStands) {
    const std::string text = translated_in_rounds(kernel_of("if (n) p[0] = 1;") + kMain);
    EXPECT_EQ(text.find("in_round"), text.npos);
    const std::string of_loop = translated_in_rounds(kernel_of(loop("p[i] = 1;")) + kMain);
    EXPECT_NE(
        of_loop.find("if (::lanework_simt::in_round()) { if (int i = __blkIdx.x * __blkDim.x + __thrdIdx.x; "
                     "::lanework_simt::takes_part(i < n) || (false && (( i += __blkDim.x * __grdDm.x), true))) do  "
                     "p[i] = 1; while (false); } else\n#line 2\nfor (int i = "),
        of_loop.npos)
        << of_loop;
    const std::string guard = translated_in_rounds(
        kernel_of("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; p[i] = 1;") + kMain);
    EXPECT_NE(guard.find("if (!::lanework_simt::takes_part(!(i >= n))) return;"), guard.npos) << guard;
    // Where threads are watched, each is asked by itself.
    EXPECT_EQ(translated(kernel_of(loop("p[i] = 1;")) + kMain).find("in_round"), std::string::npos);
}

}  // namespace
}  // namespace lanework::cudafe
