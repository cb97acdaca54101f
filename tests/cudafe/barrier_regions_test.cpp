// Which kernels are cut at their barriers, and that one is not whose threads could part ways there.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

/// A program of this text, translated for code that nobody watches.
std::string in_regions(const std::string& text) {
    const Folder folder;
    const std::filesystem::path input = folder.write("k.cu", text + "\nint main() { k<<<1, 32>>>(p); }\n");
    const std::filesystem::path output = folder / "k.cpp";
    return translate_program({.input = input, .output = output, .include_folders = {}, .regions = true})
        .files.at(output.lexically_normal());
}
bool cut(const std::string& text) { return in_regions(text).find("region_launcher(\"k\"") != std::string::npos; }

/// A kernel k with this body, behind `before`.
std::string kernel(const std::string& body, const std::string& before = "") {
    return before + "\n__global__ void k(float* p, int n) { __shared__ float s[64]; int t = threadIdx.x; " + body +
           " }";
}
constexpr const char* kMeet = "__syncthreads();";
std::string met(const std::string& ahead, const std::string& behind = "p[t] = s[63 - t];") {
    return kernel(ahead + kMeet + behind);
}

TEST(BarrierRegions, KernelsThatWaitBesideUniformConditionsAreCut) {
    for (const std::string body :
         {"s[t] = p[t]; __syncthreads(); p[t] = s[63 - t];",
          "for (int d = blockDim.x / 2; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }",
          "int d = blockDim.x / 2; while (d != 0) { if (t < d) s[t] += s[t + d]; __syncthreads(); d /= 2; }",
          "int d = 1; do { s[t] += d; __syncthreads(); d = 2 * d + gridDim.x; } while (d < n && !(d == 77));",
          "if (blockDim.x >= 64) { if (t < 32) s[t] += s[t + 32]; __syncthreads(); } else s[t] = 0;",
          "if (n > 3) __syncthreads(); else { s[t] = 1; __syncthreads(); }",
          "for (int i = 0; i < n; ++i) { if (i == blockIdx.x) break; s[t] = i; __syncthreads(); }",
          "for (int i = 0; i < n; i++, n--) { for (int j = t; j < 64; j += 32) { if (s[j] > 1) break; s[j] = 1; } "
          "__syncthreads(); }",
          "if (t >= n) return; s[t] = 1; __syncthreads(); p[t] = s[t];", "{ s[t] = 1; __syncthreads(); } p[t] = s[0];",
          "const float* row = p + blockIdx.x * n; float sum = 0, all[4]; all[t & 3] = sum; __syncthreads(); "
          "row += 2; __syncthreads(); sum += all[1] + row[t]; p[t] = sum;"})
        EXPECT_TRUE(cut(kernel(body))) << body;
}

TEST(BarrierRegions, ConstantsMacrosAndTemplateParametersAreUniform) {
    const std::string loop = "for (int i = 0; i < BOUND; i += 2) { s[t] += i; __syncthreads(); }";
    EXPECT_TRUE(cut(kernel(loop, "#define BOUND 16")));
    EXPECT_TRUE(cut(kernel(loop, "#define SIDE 4\n#define BOUND (SIDE * SIDE)")));
    EXPECT_TRUE(cut(kernel(loop, "constexpr int BOUND = 16;")));
    EXPECT_TRUE(cut(kernel(loop, "__constant__ int BOUND;")));
    EXPECT_TRUE(cut(kernel(loop, "enum { OTHER, BOUND = 16 };")));
    EXPECT_TRUE(cut("template <int BOUND> __global__ void k(float* p) { __shared__ float s[64]; int t = threadIdx.x; " +
                    loop + " }"));
    EXPECT_TRUE(
        cut("struct Size { int n; };\n__global__ void k(Size z) { __shared__ float s[64]; int t = threadIdx.x; "
            "for (int i = 0; i < min(z.n, 8); ++i) { s[t] = i; __syncthreads(); } }"));
    EXPECT_FALSE(cut(kernel(loop, "__device__ int BOUND;")));
    EXPECT_FALSE(cut(kernel(loop, "#define BOUND threadIdx.x")));
    EXPECT_FALSE(cut(kernel(loop, "#define BOUND p[0]")));
    EXPECT_FALSE(cut(kernel(loop)));
}

TEST(BarrierRegions, ThreadsThatMayPartWaysAreNotCut) {
    for (const std::string body :
         {"if (t < n) __syncthreads();", "if (p[0] > 0) { __syncthreads(); }",
          "for (int i = t; i < n; i += 32) { s[t] = i; __syncthreads(); }",
          "int d = 32; while (d > 0) { if (t == 0) d /= 2; __syncthreads(); }",
          "int d = 32; int* e = &d; while (d > 0) { *e = t; __syncthreads(); }",
          "int d = 32; char* e = (char*)&d; while (d > 0) { *e = t; __syncthreads(); }",
          "int d = 32; int& e = d; while (d > 0) { e = t; __syncthreads(); }",
          "while (s[0] > 0) { __syncthreads(); s[0] -= 1; }", "int d = s[0]; while (d > 0) { __syncthreads(); d--; }",
          "for (int i = 0; i < n; ++i) { if (t == i) break; __syncthreads(); }",
          "for (int i = 0; i < n; ++i) { if (t == i) continue; __syncthreads(); }",
          "for (int i = 0; i < n; ++i) { switch (t) { case 1: continue; default: s[t] = 1; } __syncthreads(); }",
          "n = t; for (int i = 0; i < n; ++i) { __syncthreads(); }",
          "(n) = t; for (int i = 0; i < n; ++i) { __syncthreads(); }",
          "if (t) n++; for (int i = 0; i < n; ++i) { __syncthreads(); }", "p[t] = t < 4 ? (__syncthreads(), 1) : 2;",
          "switch (n) { case 1: __syncthreads(); }", "for (float x : s) __syncthreads();",
          "s[t] = __syncthreads_count(t); __syncthreads();"})
        EXPECT_FALSE(cut(kernel(body))) << body;
    EXPECT_FALSE(cut(kernel("int d = 8; change(d); while (d > 0) { __syncthreads(); --d; }",
                            "__device__ void change(int& d) { d = threadIdx.x; }")));
    EXPECT_TRUE(cut(kernel("int d = 8; use(d); while (d > 0) { __syncthreads(); --d; }",
                           "__device__ void use(int d) { d = threadIdx.x; }")));
    EXPECT_FALSE(
        cut("struct Left { int n; __device__ void step(int by) { n -= by; } };\n"
            "__global__ void k(Left left) { while (left.n > 0) { left.step(threadIdx.x); __syncthreads(); } }"));
    EXPECT_FALSE(cut("__global__ void k(int& n) { for (int i = 0; i < n; ++i) { __syncthreads(); } }"));
}

TEST(BarrierRegions, OtherWaitsAndTextThatIsNotUnderstoodAreNotCut) {
    for (const std::string body :
         {"s[t] = __shfl_xor_sync(~0u, t, 1); __syncthreads();", "volatile float* v = s; v[t] = 1; __syncthreads();",
          "meet(); __syncthreads();", "auto f = [&] { s[t] = 1; }; f(); __syncthreads();",
          "static int calls; __syncthreads();", "auto x = p[t]; __syncthreads(); p[t] = x;",
          "float& x = p[t]; __syncthreads(); x = 1;", "float a[4]; float* q = a; __syncthreads(); q[t & 3] = a[0];",
          "float a = 1; float* q = &a; __syncthreads(); *q = a;", "[[maybe_unused]] int x; __syncthreads();",
          "again: s[t] = 1; __syncthreads();", "SYNC __syncthreads();", "\n#ifdef A\n__syncthreads();\n#endif\n",
          "int line = __LINE__; __syncthreads();"})
        EXPECT_FALSE(cut(kernel(body, "__device__ void meet() { __syncthreads(); }\n#define SYNC __syncthreads();")))
            << body;
}

TEST(BarrierRegions, OfSeveralKernelsOfANameAllAreCutOrNone) {
    const std::string other = "__global__ void k(int n) { if (threadIdx.x < n) __syncthreads(); }";
    EXPECT_TRUE(cut(met("s[t] = 1;")));
    EXPECT_FALSE(cut(other + met("s[t] = 1;")));
}

TEST(BarrierRegions, WhatThreadsBringAlongIsKeptAndIndicesAreComputedAnew) {
    const std::string text =
        in_regions(met("const float mine = p[t]; int twice = 2 * t; s[t] = mine;", "p[twice] = s[0] + mine;"));
    EXPECT_NE(text.find("::lanework_simt::Kept<float > lanework_mine_"), std::string::npos) << text;
    EXPECT_EQ(text.find("Kept<int"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6) << text;  // on the lines where it stood
}

TEST(BarrierRegions, WhatIsComputedFromAValueThatChangesIsKept) {
    const std::string body = "int at = t + d; s[t] = at; __syncthreads(); d *= 2; __syncthreads(); p[t] = at + s[t];";
    EXPECT_NE(in_regions(kernel("int d = 1; while (d < n) { " + body + " }")).find("Kept<int > lanework_at_"),
              std::string::npos);
    EXPECT_EQ(
        in_regions(kernel("for (int d = 1; d < n; ++d) { int at = t + d; s[t] = at; __syncthreads(); p[t] = at; }"))
            .find("Kept<int"),
        std::string::npos);
}

TEST(BarrierRegions, WhatARegionMayChangeIsKeptBehindIt) {
    const std::string sum = "struct Sum { float v; __device__ void add(float x) { v += x; } };";
    const std::string text =
        in_regions(kernel("Sum sum{0}; __syncthreads(); sum.add(s[t]); __syncthreads(); p[t] = sum.v;", sum));
    std::size_t kept = 0;
    for (std::size_t at = text.find(".keep(lanework_thread, sum)"); at != text.npos; at = text.find(".keep(", at + 1))
        ++kept;
    EXPECT_EQ(kept, 3u) << text;
}

TEST(BarrierRegions, WatchedCodeHasNone) {
    const Folder folder;
    const std::filesystem::path input = folder.write("k.cu", met("s[t] = 1;") + "\nint main() { k<<<1, 32>>>(p); }\n");
    const std::filesystem::path output = folder / "k.cpp";
    const std::string text = translate_program({.input = input, .output = output, .include_folders = {}})
                                 .files.at(output.lexically_normal());
    EXPECT_EQ(text.find("LANEWORK_REGIONS_BEGIN"), std::string::npos);
    EXPECT_NE(text.find("::lanework_simt::launcher(\"k\""), std::string::npos);
}

}  // namespace
}  // namespace lanework::cudafe
