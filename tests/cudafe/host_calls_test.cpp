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

}  // namespace
}  // namespace lanework::cudafe
