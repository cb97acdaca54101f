// Built-in variables, a program's own of the same names, and kernels as addresses.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

TEST(Builtins, BecomeTheirValuesWithoutMovingAColumn) {
    EXPECT_EQ(translated("int i = blockIdx.x * blockDim.x + threadIdx.x + gridDim.y;"),
              "int i = __blkIdx.x * __blkDim.x + __thrdIdx.x + __grdDm.y;");
    EXPECT_EQ(translated("#define TID (threadIdx.x)\nf(int(threadIdx.x), dim3(blockDim));"),
              "#define TID (__thrdIdx.x)\nf(int(__thrdIdx.x), dim3(__blkDim));");
}

TEST(Builtins, AreNotAProgramsOwnVariables) {
    for (const std::string own : {"void f() { dim3 gridDim(4), blockDim(32); g(gridDim, blockDim); }",
                                  "void f(dim3 gridDim, const dim3& blockDim) { g(gridDim.x, blockDim); }",
                                  "struct S { dim3 gridDim, blockDim; int f() { return blockDim.x; } };",
                                  "void f() { config.gridDim = 1; p->blockDim = S::threadIdx; }",
                                  "template <unsigned blockDim> void f() { g(blockDim); }",
                                  "template <class T, int blockDim = 4, int n> T f(T a) { return blockDim; }",
                                  "template <int gridDim> struct S { int a[gridDim]; };",
                                  "template <int blockDim, class = E<I<T>{}>> void f(T* p) { *p = blockDim; }",
                                  "template <class = E<I<T>{}>, int blockDim> void f(T* p) { *p = blockDim; }",
                                  "template <int blockDim, bool = I<T>{} && true> E<I<T>{}> f() { return blockDim; }",
                                  "template <int blockDim, int n = T{}.n> struct S { int a[blockDim]; };",
                                  "template <unsigned... blockDim> int f() { return (blockDim + ... + 0); }",
                                  "auto f = []<unsigned blockDim>(int i) { return i * blockDim; };",
                                  "void f(Lengths... blockDim) { g(blockDim...); }"})
        EXPECT_EQ(translated(own), own);
    EXPECT_EQ(translated("void f() { dim3 gridDim(4); }\nvoid k() { gridDim.x; }"),
              "void f() { dim3 gridDim(4); }\nvoid k() { __grdDm.x; }");
    EXPECT_EQ(translated("template <int gridDim, class = E<I<T>{}>> void f() { g(gridDim); }\nvoid k() { gridDim.x; }"),
              "template <int gridDim, class = E<I<T>{}>> void f() { g(gridDim); }\nvoid k() { __grdDm.x; }");
    EXPECT_EQ(translated("void k() { f(a[0]<blockDim.x, b<gridDim.x); }"),
              "void k() { f(a[0]<__blkDim.x, b<__grdDm.x); }");
    EXPECT_EQ(translated("template <int gridDim> void f();\ntemplate <int n> void k() { gridDim.x; }"),
              "template <int gridDim> void f();\ntemplate <int n> void k() { __grdDm.x; }");
}

TEST(Builtins, HaveADeviceClockWhereTheDeviceAsks) {
    const std::string either = "(::lanework_simt::on_device() ? ::__clk : ::clock)";
    EXPECT_EQ(translated("__device__ long f() { return clock() - ::clock(); }"),
              "__device__ long f() { return __clk() - __clk(); }");
    EXPECT_EQ(translated("__host__ __device__ long f() { return clock() + ::clock(); }"),
              "__host__ __device__ long f() { return " + either + "() + " + either + "(); }");
    EXPECT_EQ(translated("#define NOW clock()\n"), "#define NOW " + either + "()\n");
    for (const std::string host :
         {"long f() { return clock() + std::clock(); }", "__device__ void f() { timer.clock(); }",
          "struct S { long clock(); };", "__host__ __device__ long f() { return std::clock(); }"})
        EXPECT_EQ(translated(host), host);
}

TEST(KernelAddresses, KeepTheTypesOfParameters) {
    const std::string kernels =
        "__global__ void __launch_bounds__(32) k(int*);\n"
        "template <int N> __global__ void t(float);\n";
    const auto rest = [&](const std::string& text) { return translated(kernels + text).substr(kernels.size()); };
    EXPECT_EQ(rest("p.func = (void*)k;"), "p.func = (void*)::lanework_simt::launchable(k);");
    EXPECT_EQ(rest("f((const void *)&t<2>, 1);"), "f((const void *)::lanework_simt::launchable(&t<2>), 1);");
    EXPECT_EQ(rest("f(reinterpret_cast<void*>(k));"), "f(reinterpret_cast<void*>(::lanework_simt::launchable(k)));");
    EXPECT_EQ(rest("cudaLaunchKernel((void*)pointer[1], g, b, a);"),
              "cudaLaunchKernel((void*)::lanework_simt::launchable(pointer[1]), g, b, a);");
    for (const std::string other : {"f((void*)data, (void**)&data);", "int k = (int)x;", "f((void*)k(3));"})
        EXPECT_EQ(rest(other), other);
}

}  // namespace
}  // namespace lanework::cudafe
