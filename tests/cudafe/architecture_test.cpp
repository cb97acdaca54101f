// __CUDA_ARCH__: what device code, the host's and functions of both are told.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

std::string told(const std::string& text) {
    const TokenizedFile file = tokenize(text);
    Words words;
    collect_macros(file, words);
    collect_words(file, words);
    collect_device_code({&file}, words);
    return translate(file, words).apply(text);
}

TEST(Architecture, IsToldToFunctionsOfTheDeviceAlone) {
    EXPECT_EQ(told("__global__ void k() {\n#if __CUDA_ARCH__ >= 700\nf();\n#endif\n}"),
              "__global__ void k() {\n#if LANEWORK_SIMT_ARCH >= 700\nf();\n#endif\n}");
    EXPECT_EQ(told("struct S { __device__ int f() {\n#ifdef __CUDA_ARCH__\nreturn __CUDA_ARCH__;\n#endif\n} };"),
              "struct S { __device__ int f() {\n#ifdef LANEWORK_SIMT_ARCH\nreturn LANEWORK_SIMT_ARCH;\n#endif\n} };");
    EXPECT_EQ(told("void f() { each([] __device__(int i) {\n#ifdef __CUDA_ARCH__\ng(i);\n#endif\n}); }"),
              "void f() { each([] __device__(int i) {\n#ifdef LANEWORK_SIMT_ARCH\ng(i);\n#endif\n}); }");
    EXPECT_EQ(told("#define GPU __device__ inline\nGPU void f() {\n#ifdef __CUDA_ARCH__\n#endif\n}"),
              "#define GPU __device__ inline\nGPU void f() {\n#ifdef LANEWORK_SIMT_ARCH\n#endif\n}");
}

TEST(Architecture, IsNotToldToTheHost) {
    for (const std::string host : {"int main() {\n#ifdef __CUDA_ARCH__\ngpu();\n#else\ncpu();\n#endif\n}",
                                   "#ifdef __CUDA_ARCH__\n#define HERE 1\n#endif\nint main() { return HERE; }",
                                   "#ifndef __CUDA_ARCH__\nint f() { return 1; }\n#endif",
                                   "__global__ void k() {\n}\n#ifdef __CUDA_ARCH__\nvoid f() {}\n#endif"})
        EXPECT_EQ(told(host), host);
}

TEST(Architecture, IsToldOutsideFunctionsWhereTheDeviceAloneIsConcerned) {
    EXPECT_EQ(told("#if __CUDA_ARCH__ < 600\n__device__ double atomicAdd(double*, double) { return 0; }\n#endif"),
              "#if LANEWORK_SIMT_ARCH < 600\n__device__ double atomicAdd(double*, double) { return 0; }\n#endif");
    EXPECT_EQ(
        told(
            "#if __CUDA_ARCH__ >= 350\n#define LOAD(p) __ldg(p)\n#endif\n__device__ int f(int* p) { return LOAD(p); }"),
        "#if LANEWORK_SIMT_ARCH >= 350\n#define LOAD(p) __ldg(p)\n#endif\n__device__ int f(int* p) { return LOAD(p); "
        "}");
    EXPECT_EQ(told("#define NEW (__CUDA_ARCH__ >= 800)"), "#define NEW (LANEWORK_SIMT_ARCH >= 800)");
}

TEST(Architecture, IsDecidedByTheCallerOfAFunctionForHostAndDevice) {
    EXPECT_EQ(told("int a;\n__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\nreturn 1;\n#else\nreturn "
                   "2;\n#endif\n}\nint b;"),
              "int a;\n__host__ __device__ int f() { if (::lanework_simt::on_device()) {\n"
              "#ifdef LANEWORK_SIMT_ARCH\nreturn 1;\n#else\nreturn 2;\n#endif\n} else {\n"
              "#line 2\n\n#ifdef __CUDA_ARCH__\nreturn 1;\n#else\nreturn 2;\n#endif\n}}\nint b;");
}

TEST(Architecture, LeavesOtherEditsInBothCopies) {
    const std::string both =
        told("__host__ __device__ int f(int i) {\n#ifdef __CUDA_ARCH__\ni += threadIdx.x;\n#endif\nreturn i; }");
    const std::size_t first = both.find("__thrdIdx");
    ASSERT_NE(first, both.npos);
    EXPECT_NE(both.find("__thrdIdx", first + 1), both.npos);
    EXPECT_EQ(both.find("threadIdx"), both.npos);
}

}  // namespace
}  // namespace lanework::cudafe
