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

TEST(BarrierRegions, SharedMemoryMayBePartedByTheAddressesOfItsElements) {
    const std::string rounds =
        "for (int i = 0; i < n; ++i) { c[t] = b[t]; __syncthreads(); b[t] += c[n - t]; __syncthreads(); }";
    EXPECT_TRUE(cut(kernel("float *a = s, *b = &a[n], *c = &b[2 * n]; " + rounds)));
    EXPECT_TRUE(cut(kernel("float *b = &s[0], *c = &s[n]; " + rounds)));
    EXPECT_TRUE(cut(kernel("float* b = &s[t]; b[0] = 1; __syncthreads(); p[t] = b[n];")));
    EXPECT_TRUE(cut(kernel("float *b = s + (int)p[0], *c = &b[n]; " + rounds)));  // kept, not computed anew
    EXPECT_FALSE(cut(kernel("float* a = &p[n]; for (int i = 0; i < a[0]; ++i) { s[t] = i; __syncthreads(); } " +
                            std::string(kMeet))));
}

TEST(BarrierRegions, APointerThatIsKeptPointsAtNothingThatEndsWithItsRegion) {
    const std::string behind = " s[t] = 1; __syncthreads(); p[t] = s[t] + b[1];",
                      functions =
                          "__device__ float* pick(float* a, int i) { return a + i; } "
                          "__device__ float total(const float* a, int n) { return a[0] + a[n - 1]; }";
    EXPECT_TRUE(cut(kernel("float own[4]; float* b = p + (int)p[t]; own[1] = b[0]; p[0] = own[1];" + behind)));
    for (const std::string ahead :
         {"float own[4]; float* b = own;", "float own[4]; float* b = &own[1];", "float own; float* b = &own;",
          "float own[4][4]; float* b = own[1];", "float own[4]; float* a = own; float* b = p; if (t > 3) b = a;",
          "float own[4]; auto b = &own[0];", "float own[4]; auto b = own;",
          "using fp = float*; float own[4]; fp b = own;", "float own[4]; float* b = (own);",
          "float own[4]; float* b = &(own[0]);", "float own[4]; float* b = (float*)(&own[0]);",
          "float own[4]; float* b = pick(own, 0);", "float4 v; float* b = reinterpret_cast<float*>(&v);",
          "struct V { float d[4]; } v; float* b = v.d;", "float own[4]; float* b; b = p, b = own;"})
        EXPECT_FALSE(cut(kernel(ahead + behind, functions))) << ahead;
    EXPECT_FALSE(cut(kernel("float *own[4] = {}, **b = &own[n];" + behind)));
    // Values are no addresses, and neither are arguments from which a number or an object is made.
    EXPECT_TRUE(cut(kernel(
        "float own[4]; own[0] = p[t]; float sum = total(own, 4); float* b = p + (int)own[0]; p[t] = sum;" + behind,
        functions)));
    EXPECT_TRUE(cut(kernel("float* b = pick(p, 1);" + behind, functions)));
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
    EXPECT_FALSE(cut(kernel(loop + kMeet, "__device__ int BOUND;")));
    EXPECT_FALSE(cut(kernel(loop + kMeet, "#define BOUND threadIdx.x")));
    EXPECT_FALSE(cut(kernel(loop + kMeet, "#define BOUND p[0]")));
    EXPECT_FALSE(cut(kernel(loop + kMeet)));
}

TEST(BarrierRegions, BarriersOfSomeThreadsAreCutWhereTheOthersHaveNoneBehind) {
    for (const std::string body :
         {"if (t < n) { s[t] = p[t]; __syncthreads(); p[t] = s[0]; }",
          "if (t < n) { for (int d = 1; d < blockDim.x; d *= 2) { float x = 0; if (t >= d) x = s[t - d]; "
          "__syncthreads(); s[t] += x; __syncthreads(); } p[t] = s[t]; } else p[t] = 0;",
          "s[t] = 0; __syncthreads(); if (t < n) { if (t < 3) return; __syncthreads(); p[t] = s[t]; } p[0] = 1;",
          "if (t < n) { if (t < n - 1) { s[t] = 1; __syncthreads(); p[t] = s[0]; } }",
          "for (int i = t; i < n; i += 32) { s[t] = i; __syncthreads(); p[i] = s[0]; }",
          "while (s[0] > 0) { __syncthreads(); if (t == 0) s[0] -= 1; __syncthreads(); }"})
        EXPECT_TRUE(cut(kernel(body))) << body;
    for (const std::string body :
         {"if (t < n) __syncthreads(); __syncthreads();", "if (t < n) __syncthreads(); p[t] = __any_sync(~0u, t);",
          "if (t < n) __syncthreads(); else __syncthreads();",
          "for (int i = 0; i < n; ++i) { if (t < i) __syncthreads(); }",
          "if (t < n) { if (t < 3) { __syncthreads(); } __syncthreads(); }"})
        EXPECT_FALSE(cut(kernel(body))) << body;
}

TEST(BarrierRegions, ValuesBetweenBracesAreValues) {
    EXPECT_TRUE(cut(kernel("int rounds { n / 2 }; for (int i { 0 }; i < rounds; ++i) __syncthreads(); p[0] = 1;" +
                           std::string(kMeet))));
    EXPECT_FALSE(cut(kernel("int rounds { t / 2 }; for (int i { 0 }; i < rounds; ++i) __syncthreads(); p[0] = 1;" +
                            std::string(kMeet))));
    const std::string text = in_regions(met("int twice { static_cast<int>(2 * t) }; s[t] = 1;", "p[twice] = s[0];"));
    EXPECT_EQ(text.find("Kept<int"), std::string::npos) << text;
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
          "s[t] = __syncthreads_count(t);"})
        EXPECT_FALSE(cut(kernel(body + kMeet))) << body;
    EXPECT_FALSE(cut(kernel("int d = 8; change(d); while (d > 0) { __syncthreads(); --d; } __syncthreads();",
                            "__device__ void change(int& d) { d = threadIdx.x; }")));
    EXPECT_TRUE(cut(kernel("int d = 8; use(d); while (d > 0) { __syncthreads(); --d; }",
                           "__device__ void use(int d) { d = threadIdx.x; }")));
    EXPECT_FALSE(
        cut("struct Left { int n; __device__ void step(int by) { n -= by; } };\n"
            "__global__ void k(Left left) { while (left.n > 0) { left.step(threadIdx.x); __syncthreads(); } "
            "__syncthreads(); }"));
    EXPECT_FALSE(
        cut("__global__ void k(int& n) { for (int i = 0; i < n; ++i) { __syncthreads(); } __syncthreads(); }"));
}

TEST(BarrierRegions, OtherWaitsAndTextThatIsNotUnderstoodAreNotCut) {
    for (const std::string body :
         {"volatile float* v = s; v[t] = 1; __syncthreads();", "auto f = [&] { s[t] = 1; }; f(); __syncthreads();",
          "static int calls; __syncthreads();", "float& x = p[t]; __syncthreads(); x = 1;",
          "float a[4]; float* q = a; __syncthreads(); q[t & 3] = a[0];",
          "float a = 1; float* q = &a; __syncthreads(); *q = a;", "[[maybe_unused]] int x; __syncthreads();",
          "again: s[t] = 1; __syncthreads();", "SYNC __syncthreads();", "\n#ifdef A\n__syncthreads();\n#endif\n",
          "int line = __LINE__; __syncthreads();"})
        EXPECT_FALSE(cut(kernel(body, "#define SYNC __syncthreads();"))) << body;
}

TEST(BarrierRegions, KernelsWhoseWarpsMeetInStatementsOfTheirOwnAreCut) {
    for (const std::string body :
         {"float v = p[t]; for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(~0u, v, o); if (t == 0) p[0] = v;",
          "s[t] = __shfl_xor_sync(~0u, t, 1);", "int a = 1, b = __shfl_sync(~0u, a, t); p[t] = b;",
          "p[n++] = max(__shfl_up_sync(~0u, t, 1), __shfl_up_sync(~0u, t, 2, 8));",
          "auto v = __shfl_sync(~0u, p[t], 0); __syncwarp(); auto w = v; __syncwarp(); p[t] = w;",
          "p[t] = __shfl_sync(~0u, __shfl_sync(__activemask(), p[t], 3), __popc(__ballot_sync(~0u, t > 3)));",
          "unsigned m = __ballot_sync(~0u, t < n); if (t < n) { p[t] = __shfl_sync(m, p[t], 0); __syncwarp(m); }",
          "int same; unsigned m = __match_all_sync(~0u, t, &same); p[t] = __match_any_sync(m, t) + same;",
          "p[t] = __reduce_add_sync(~0u, t) + __any_sync(~0u, t) + __all_sync(~0u, t);",
          "if (__any_sync(~0u, t > 3)) p[t] = 1; else p[t] = 2;", "if (t >= n) return; p[t] = __shfl_sync(~0u, t, 0);",
          "if (t < 32) { s[t] = 1; __syncwarp(); p[t] = s[31 - t]; } else { p[t] = 0; return; }",
          "for (int i = t / 32; i < n; i += 2) { float v = p[i]; v += __shfl_xor_sync(~0u, v, 1); p[i] = v; }",
          "int i = t; while (i < n) { p[i] = __ballot_sync(~0u, i); i += 32; }",
          "int slot = atomicAdd(p, 1); p[slot] = __shfl_sync(~0u, slot, 0);"})
        EXPECT_TRUE(cut(kernel(body))) << body;
}

TEST(BarrierRegions, OperationsOfTheWarpThatAreNotAlwaysReachedAreNotCut) {
    for (const std::string body :
         {"p[t] = t > 3 ? __shfl_sync(~0u, t, 0) : 0;", "p[t] = t > 3 && __any_sync(~0u, t);",
          "p[t] = t > 3 || (n + __any_sync(~0u, t));", "int i = 0; p[t] = i++ + __shfl_sync(~0u, i, 0);",
          "int i = 0; p[t] = __shfl_sync(~0u, i = t, 0);", "int i; i = t, p[t] = __shfl_sync(~0u, i, 0);",
          "while (__any_sync(~0u, t < n)) t += 5;", "for (int i = __shfl_sync(~0u, t, 0); i < n; ++i) __syncwarp();",
          "switch (t) { case 1: __syncwarp(); }", "do { __syncwarp(); t += 7; } while (t < n);",
          "if (t < 32) __syncwarp(); else __syncwarp();", "if (t < 32) { __syncwarp(); return; } __syncwarp();",
          "for (int i = t; i < n; i += 32) { __syncwarp(); if (p[i]) break; }",
          "for (int i = t; i < n; i += 32) { __syncwarp(); if (n > 3) continue; }",
          "if (t < 32) { __syncwarp(); __syncthreads(); } __syncwarp();", "MEET; p[t] = 1;",
          "p[t] = __shfl_sync<int>(~0u, t, 0);",
          "do { t = __shfl_sync(~0u, t, 0); } while (atomicCAS(&LOCK, 0, 1) != 0);"})
        EXPECT_FALSE(cut(kernel(body, "#define MEET __syncwarp()\n__device__ int LOCK;"))) << body;
}

TEST(BarrierRegions, FunctionsThatWaitStandWhereTheyAreCalled) {
    const std::string sum =
        "__device__ float sum(float v) { for (int o = 16; o > 0; o >>= 1) v += "
        "__shfl_down_sync(~0u, v, o); return v; }\n";
    for (const auto& [body, before] : std::initializer_list<std::pair<std::string, std::string>>{
             {"meet(); p[t] = 1;", "__device__ void meet() { __syncthreads(); }"},
             {"p[t] = sum(t); s[t] = 2 * sum(p[t]) + sum(sum(3));", sum},
             {"if (t / 32 == 0) p[t] = sum(t);", sum},
             {"for (int i = t / 32; i < n; ++i) p[t] = sum(t);", sum},
             {"float a = all(t); a += all(a); p[t] = a;",
              sum + "__device__ float all(float v) { static __shared__ float part[32]; v = sum(v); if (threadIdx.x % "
                    "32 == 0) "
                    "part[threadIdx.x / 32] = v; __syncthreads(); return part[0]; }"},
             {"float a = 1; p[t] = most(a) + most<float>(2);",
              "template <class T> __device__ T most(T v) { return max(v, __shfl_xor_sync(~0u, v, 1)); }"},
             {"change(s, n, t); for (int i = 0; i < n; ++i) __syncthreads();",
              "__device__ void change(float* a, int by, const int at = 3) { __syncthreads(); a[at] = by; }"},
             {"int i = 3; next(i); p[t] = i;",
              "__device__ void next(int& v) { v += __any_sync(~0u, v > threadIdx.x); }"},
             {"rounds<4>(t); rounds<8>(t);",
              "template <int N> __device__ void rounds(int t) { for (int i = 0; i < N; ++i) __syncwarp(); }"}})
        EXPECT_TRUE(cut(kernel(body, before))) << body;
    for (const auto& [body, before] : std::initializer_list<std::pair<std::string, std::string>>{
             {"p[t] = t > 3 ? sum(t) : 0;", sum},
             {"p[t] = part(t);", "__device__ int part(int v) { if (v > 3) return 0; return __any_sync(~0u, v); }"},
             {"p[t] = deep(t);", "__device__ int deep(int v) { if (v > 3) v = deep(v - 1); __syncwarp(); return v; }"},
             {"p[t] = sum(t);", sum + "__device__ double sum(double v) { return v; }"},
             {"p[t] = sum(t); p[1] = uses();",
              sum + "__device__ int n = 3; __device__ int uses() { __syncwarp(); return n; }"},
             {"int d = 3; next(&d); for (int i = 0; i < d; ++i) __syncthreads(); __syncthreads();",
              "__device__ void next(int* k) { __syncthreads(); *k += threadIdx.x; }"},
             {"int d = 3; next(d); for (int i = 0; i < d; ++i) __syncthreads(); __syncthreads();",
              "__device__ void next(int& k) { __syncthreads(); k += threadIdx.x; }"},
             {"float (*f)(float) = sum; p[t] = 1; __syncwarp();", sum},
             {"Sum all{p}; all.add(t);",
              "struct Sum { float* p; __device__ void add(int v) { __syncwarp(); *p += v; } };"},
             {"meet(); p[t] = 1;", "__device__ void meet() {\n#ifdef A\n __syncthreads();\n#endif\n }"}})
        EXPECT_FALSE(cut(kernel(body, before))) << body;
}

TEST(BarrierRegions, WhatSomeThreadsChangeIsNoLongerUniform) {
    const std::string loop = "for (int i = 0; i < d; ++i) { s[t] = i; __syncthreads(); } __syncthreads();";
    EXPECT_TRUE(cut(kernel("int d = 4; if (n > 3) { d = 5; __syncwarp(); } " + loop)));
    EXPECT_FALSE(cut(kernel("int d = 4; if (t < 32) { d = 5; __syncwarp(); } " + loop)));
    EXPECT_FALSE(cut(kernel("int d = 4; for (int i = t; i < n; i += 32) { ++d; __syncwarp(); } " + loop)));
    EXPECT_TRUE(
        cut(kernel("if (t < 32) { int o = 16; while (o > 0) { s[t] += __shfl_xor_sync(~0u, s[t], o); o /= 2; } }")));
}

TEST(BarrierRegions, KernelsWithTilesOfCooperativeGroupsAreCut) {
    const std::string include = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n";
    const std::string groups = "auto block = cg::this_thread_block(); auto tile = cg::tiled_partition<32>(block); ";
    EXPECT_TRUE(cut(kernel(groups + "block.sync(); p[t] = tile.shfl_down(s[t], 1);", include)));
    EXPECT_TRUE(cut(kernel(groups + "float v = cg::reduce(tile, s[t], cg::plus<float>()); p[t] = v;", include)));
    EXPECT_TRUE(
        cut(kernel(groups + "p[t] = f(tile, s[t]);",
                   include + "template <unsigned N> __device__ float f(const cg::thread_block_tile<N>& g, float v) "
                             "{ v += g.shfl_xor(v, N / 2); return v; }")));
    EXPECT_TRUE(
        cut(kernel(groups + "f(block, s, t);", include + "template <class G> __device__ void f(G g, float* s, int t) "
                                                         "{ s[t] = 1; g.sync(); }")));
    EXPECT_FALSE(cut(kernel(groups + "auto many = cg::tiled_partition<64>(block); many.sync();", include)));
    EXPECT_FALSE(cut(kernel(groups + "auto lanes = cg::coalesced_threads(); lanes.sync();", include)));
    // Of each thread's tile by its lane, in rounds that some threads leave.
    EXPECT_FALSE(cut(kernel(groups + "auto four = cg::tiled_partition<4>(tile); "
                                     "for (int i = t; i < n; i += 32) p[i] = four.shfl(s[t], 0);",
                            include)));
}

TEST(BarrierRegions, ValuesOfThreadsAreTypedWithoutThem) {
    const std::string text =
        in_regions(kernel("auto v = p[t]; double w[2]; w[t & 1] = v; w[0] = __shfl_sync(~0u, w[t & 1] + v, 1);"));
    EXPECT_NE(text.find("of_value(::lanework_simt::warp_regions::lvalue<double [2]>() "), std::string::npos) << text;
    EXPECT_NE(text.find("lvalue<decltype(::lanework_simt::warp_regions::of_value(p [ "), std::string::npos) << text;
}

TEST(BarrierRegions, OfSeveralKernelsOfANameAllAreCutOrNone) {
    const std::string other = "__global__ void k(int n) { if (threadIdx.x < n) __syncthreads(); __syncthreads(); }";
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

TEST(BarrierRegions, WhatIsReadFromSharedMemoryIsKept) {
    for (const std::string value : {"s[63 - t] > 0", "n > 0 && s[63 - t]", "n > 0 && (s[63 - t])", "n > 0&&s[63 - t]"})
        EXPECT_NE(in_regions(met("bool odd = " + value + "; __syncthreads(); s[t] = 0; ", "p[t] = odd;"))
                      .find("Kept<bool > lanework_odd_"),
                  std::string::npos)
            << value;
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
