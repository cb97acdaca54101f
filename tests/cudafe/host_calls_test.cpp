// Calls of host functions in device code are refused where nvcc 13.0 refuses them, and nowhere else: each program below
// was given to it.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

/// What is said of a program; empty where it is taken.
std::string refusal(const std::string& program, bool relaxed = false, bool architecture = true) {
    const Folder folder;
    Request request{folder.write("a.cu", program), folder / "out.cpp", {}};
    request.architecture = architecture;
    request.relaxed = relaxed;
    try {
        translate_program(request);
        return "";
    } catch (const TranslationError& error) {
        return error.what();
    }
}

const std::string kHost = "int weight(int i) { return i; }\n";
const std::string kKernel = "__global__ void k(int* p) { *p = weight(1); }\n";

TEST(HostCalls, OfDeviceCodeAreRefusedWithTheirPlace) {
    const std::string said = refusal(kHost + kKernel);
    EXPECT_NE(
        said.find("a.cu:2:34: error: a __global__ function calls weight, a function of the host: nvcc refuses that; "
                  "put __device__ before its definition"),
        std::string::npos)
        << said;
    for (const std::string& program : std::vector<std::string>{
             kHost + "__device__ int d(int i) { return weight(i); }\n",
             kHost + "__global__ void k(int* p) { auto g = [=] { *p = weight(1); }; g(); }\n",
             kHost + "template <class T> __global__ void k(T* p) { *p = weight(1); }\nint main() { k<int><<<1, "
                     "1>>>(nullptr); }\n",
             "template <class T> T weight(T i) { return i; }\n" + kKernel,
             "template <class T> T weight(T i) { return i; }\n__global__ void k(int* p) { *p = weight<int>(1); }\n",
             "namespace physics {\n" + kHost + kKernel + "}\n", "namespace {\n" + kHost + kKernel + "}\n",
             "extern \"C\" int weight(int);\n" + kKernel,
             "typedef int number; static inline number weight(number i) { return i; }\n" + kKernel})
        EXPECT_NE(refusal(program).find("calls weight, a function of the host"), std::string::npos) << program;
}

TEST(HostCalls, OfTheLibrariesAreRefused) {
    const auto says = [](const std::string& call, const std::string& words) {
        const std::string said = refusal("#include <cstdlib>\n__global__ void k(int* p) { (void)" + call + "; }\n");
        EXPECT_NE(said.find(words), std::string::npos) << call << ": " << said;
    };
    says("rand()", "calls rand, a function of the host: nvcc refuses that; device code has no such function");
    says("std::rand()", "calls std::rand, a function of the host");
    says("cudaMemcpy(p, p, 4, cudaMemcpyDeviceToDevice)", "calls cudaMemcpy,");
    says("std::max(p[0], 1)",
         "calls std::max, a function of the host: nvcc refuses that; device code has no such "
         "function, or give --expt-relaxed-constexpr where it is constexpr");
    EXPECT_EQ(refusal("__global__ void k(int* p) { *p = std::max(p[0], 1); }\n", true), "");
    EXPECT_EQ(refusal("__global__ void k(int* p) { printf(\"%d\", *p); free(malloc(4)); memcpy(p, p + 1, 4); }\n"), "");
}

TEST(HostCalls, OfConstexprFunctionsAreTakenWithNvccsOption) {
    const std::string program = "constexpr int weight(int i) { return i; }\n" + kKernel;
    EXPECT_NE(refusal(program).find("--expt-relaxed-constexpr"), std::string::npos);
    EXPECT_EQ(refusal(program, true), "");
}

TEST(HostCalls, ThatMayBeSomethingElseAreTaken) {
    for (const std::string& program : std::vector<std::string>{
             "__device__ " + kHost + kKernel,
             "__host__ __device__ " + kHost + kKernel,
             "#define BOTH __host__ __device__\nBOTH " + kHost + kKernel,
             "ANYTHING " + kHost + kKernel,
             kHost + "namespace d { __device__ " + kHost + kKernel + "}\n",
             "int weight(int);\n#define weight(x) (x)\n" + kKernel,
             "struct S { __device__ int weight(int i) { return i; } __device__ int two() { return weight(2); } };\nint "
             "weight(int);\n",
             kHost + "__global__ void k(int* p) { auto weight = [](int i) { return i; }; *p = weight(1); }\n",
             kHost + "__global__ void k(int* p, int (*weight)(int)) { *p = weight(1); }\n",
             kHost + "__global__ void k(int* p) { int weight(3); *p = weight; }\n",
             kHost + "__global__ void k(int* p) { *p = sizeof(weight(1)); }\n",
             kHost + "__host__ __device__ int both(int i) { return weight(i); }\n",
             kHost + "template <class T> __device__ T d(T i) { return weight(i); }\n",
             kHost + "template <class T> __global__ void k(T* p) { *p = weight(1); }\n",
             kHost + "template <class T> struct S { __device__ T two() { return weight(2); } };\n",
             kHost + "__global__ void k(int* p) {\n#ifdef __CUDA_ARCH__\n*p = 1;\n#else\n*p = weight(1);\n#endif\n}\n",
             kHost + "int host() { return weight(rand()); }\n__global__ void k(int* p) { *p = 1; }\n",
             "__device__ int rand(unsigned seed) { return seed; }\n__global__ void k(int* p) { *p = rand(3u); }\n",
             std::string("struct R { int s; __device__ int rand() { return s; } };\n__global__ void k(int* p) { R "
                         "r{1}; *p = r.rand(); }\n"),
             std::string("__global__ void k(int* p, void (*exit)(int)) { exit(1); }\n")})
        EXPECT_EQ(refusal(program), "") << program;
    EXPECT_EQ(refusal(kHost + kKernel, false, false), "") << "the library's own code is nvcc's to judge";
}

TEST(HostCalls, AreNotJudgedWhereABracketIsOpen) {
    EXPECT_EQ(refusal("__global__ void k(int* p) { if (p { *p = 1; }\nint main() { exit(0); }\n"), "");
}

const std::string kVoid = "__global__ void k(int* p) { *p = 1; }\n";

TEST(KernelCalls, WithoutALaunchAreRefused) {
    const std::string said = refusal(kVoid + "int main() {\n    int* p;\n    k(p);\n}\n");
    EXPECT_NE(said.find("a.cu:4:5: error: k is a kernel, which is launched: k<<<grid, block>>>(...)"),
              std::string::npos)
        << said;
    for (const std::string& program : std::vector<std::string>{
             "template <class T> __global__ void k(T* p) { *p = 1; }\nvoid host(int* p) { k<int>(p); }\n",
             "__global__ void k(int* p);\nint host(int* p) { if (p) k(p); else return 1; return 0; }\n",
             kVoid + "__global__ void other(int* p) { k(p); }\n"})
        EXPECT_NE(refusal(program).find("k is a kernel"), std::string::npos) << program;
    for (const std::string& program : std::vector<std::string>{
             "void host(int* p) { k<<<1, 1>>>(p); k <<< 1, 1 >>> (p); }\n",
             "void host(int* p) { void* a[] = {&p}; cudaLaunchKernel((void*)k, 1, 1, a, 0, 0); }\n",
             "void k(int* p, int n) { k<<<n, 1>>>(p); }\nvoid host(int* p) { k(p, 2); }\n",
             "void host(int* p) { auto k = [](int*) {}; k(p); }\n", "void host(int* p, void (*k)(int*)) { k(p); }\n",
             "struct S { void k(int*); };\nvoid host(S s) { s.k(0); }\n",
             "#define LAUNCH(x) x\nvoid host(int* p) { LAUNCH(k(p)); }\n",
             "void host(int* p) {\n#ifdef __CUDACC__\n    k<<<1, 1>>>(p);\n#else\n    k(p);\n#endif\n}\n"})
        EXPECT_EQ(refusal(kVoid + program), "") << program;
}

TEST(KernelCalls, ThatLaunchAHostFunctionAreRefused) {
    const std::string said = refusal("void f(int n) {}\nint main() {\n    f<<<1, 1>>>(3);\n}\n");
    EXPECT_NE(said.find("a.cu:3:5: error: f is no kernel, and is launched: nvcc refuses that"), std::string::npos)
        << said;
    for (const std::string& program : std::vector<std::string>{
             "#define KERNEL __global__\nKERNEL void f(int n) {}\nint main() { f<<<1, 1>>>(3); }\n",
             "void f(int);\n__global__ void f(float) {}\nint main() { f<<<1, 1>>>(3.0f); }\n",
             "void f(int);\n" + kVoid + "int main() { auto f = k; f<<<1, 1>>>(nullptr); }\n"})
        EXPECT_EQ(refusal(program), "") << program;
}

TEST(Kernels, ThatReturnAValueAreRefused) {
    for (const std::string& kernel : std::vector<std::string>{"__global__ int", "static __global__ unsigned long",
                                                              "template <int N> __global__ float"}) {
        const std::string said = refusal(kernel + " k(int* p) { return *p; }\n");
        EXPECT_NE(said.find("error: a __global__ function returns nothing"), std::string::npos) << kernel << said;
    }
    for (const std::string& kernel :
         std::vector<std::string>{"__global__ void __launch_bounds__(int(64))", "template <int N> __global__ void",
                                  "#define VOID void\n__global__ VOID", "extern \"C\" __global__ void"})
        EXPECT_EQ(refusal(kernel + " k(int* p) { *p = 1; }\n"), "") << kernel;
}

}  // namespace
}  // namespace lanework::cudafe
