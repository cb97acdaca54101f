// What the simt device does not have is refused by its name, and what a program defines does not reach CUDA's headers.
#include <algorithm>

#include "tests/program/programs.hpp"

namespace lanework {
namespace {

Said run_of(const std::string& program, const std::string& options = "") {
    const Folder folder;
    folder.write("a.cu", program);
    return in(folder, "run a.cu " + options);
}

TEST(Unavailable, PartsOfCudaAreNamedWithWhatWasAskedFor) {
    const Said driver =
        run_of("#include <cuda.h>\nint main() {\n    cuInit(0);\n    cuMemAlloc(0, 4);\n    cuInit(0);\n}\n");
    EXPECT_EQ(driver.status, 3);
    EXPECT_TRUE(contains(driver.err, "a.cu does not compile; the simt device has no driver API (cuInit, cuMemAlloc)"))
        << driver.err;
    const Said pointer = run_of("#include <cudaTypedefs.h>\nint main() { PFN_cuGetProcAddress_v12000 get; }\n");
    EXPECT_TRUE(contains(pointer.err, "the simt device has no driver API (PFN_cuGetProcAddress_v12000)"))
        << pointer.err;
    const Said shared = run_of(
        "int main() {\n    cudaIpcMemHandle_t handle;\n    int* p;\n    cudaMalloc(&p, 4);\n    "
        "cudaIpcGetMemHandle(&handle, p);\n}\n");
    EXPECT_TRUE(contains(shared.err, "the simt device has no memory that processes share (cudaIpcMemHandle_t"))
        << shared.err;
    const Said shuffle = run_of(
        "__global__ void k(int* p) { *p = __shfl_down(*p, 1) + __any(*p); }\nint main() { k<<<1, 32>>>(nullptr); }\n");
    EXPECT_TRUE(contains(shuffle.err,
                         "no shuffles and votes without a mask, which CUDA removed: those with _sync take "
                         "one (__shfl_down, __any)"))
        << shuffle.err;
    const Said misspelt = run_of("int main() { cudaMaloc(0, 4); }\n");
    EXPECT_TRUE(contains(misspelt.err, "a.cu does not compile\n")) << misspelt.err;
}

TEST(Unavailable, InlineAssemblyIsNamedInOneLine) {
    const Said said = run_of(
        "__device__ __forceinline__ int f(int a) {\n    asm(\"foo.bar.s32 %0, %1;\" : \"=r\"(a) : \"r\"(a));\n    "
        "return a;\n}\n"
        "#define TWICE(type) asm(\"add.\" #type \" %0, %0, %0;\" : \"+r\"(a))\n"
        "__device__ int g(int a) { TWICE(q7); return a; }\n"
        "__global__ void k(int* p) { *p = f(*p) + f(2) + g(3); }\nint main() { k<<<1, 1>>>(nullptr); }\n");
    EXPECT_EQ(said.status, 3);
    EXPECT_TRUE(contains(said.err, "a.cu:2: error: inline PTX: foo.bar.s32 is not available on the simt device\n") &&
                contains(said.err, "a.cu:5: error: inline PTX: add.q7 is not available on the simt device\n"))
        << said.err;
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 3) << said.err;
}

TEST(Unavailable, CutensorIsNamedByItsHeaderToo) {
    const Said said = run_of("#include <cutensor.h>\nint main() { return CUTENSOR_STATUS_SUCCESS; }\n");
    EXPECT_TRUE(contains(said.err, "a.cu:1: error: cutensor.h: cuTENSOR is not available on the simt device"))
        << said.err;
}

TEST(Unavailable, LaunchesFromKernelsAreNamed) {
    const Said said = run_of(
        "__global__ void inner() {}\n__global__ void k() { inner<<<1, 1, 0, cudaStreamFireAndForget>>>(); }\n"
        "int main() { k<<<1, 1>>>(); }\n");
    EXPECT_TRUE(contains(said.err, "the simt device has no launches from kernels (cudaStreamFireAndForget)"))
        << said.err;
}

TEST(Unavailable, HandlesOfCublasLtAreThereAndItsProductsAreNamed) {
    const std::string handle =
        "#include <cublasLt.h>\nint main() {\n    cublasLtHandle_t light;\n"
        "    if (cublasLtCreate(&light) != CUBLAS_STATUS_SUCCESS) return 1;\n";
    const Said made = run_of(handle + "    return cublasLtDestroy(light);\n}\n", "-lcublasLt -lcuda -lnvToolsExt");
    EXPECT_EQ(made.status, 0) << made.err;
    const Said product = run_of(handle +
                                "    cublasLtMatmulDesc_t product;\n    cublasLtMatmulDescCreate(&product, "
                                "CUBLAS_COMPUTE_32F, CUDA_R_32F);\n}\n");
    EXPECT_EQ(product.status, 3);
    EXPECT_TRUE(contains(product.err, "the simt device has no products of cuBLASLt (cublasLtMatmulDesc_t"))
        << product.err;
}

TEST(Unavailable, HeadersOfAToolkitAreNamedAlsoWhereItsFolderIsGiven) {
    const Folder folder;
    folder.write("toolkit/cuda_fp6.h", "#error a toolkit's\n");
    folder.write("toolkit/cuda_runtime_api.h", "#error a toolkit's\n");
    folder.write("a.cu", "#include <cuda_fp6.h>\nint main() {}\n");
    const Said said = in(folder, "run a.cu -isystem=toolkit");
    EXPECT_EQ(said.status, 3);
    EXPECT_TRUE(contains(said.err, "cuda_fp6.h: numbers of 6 bits are not available on the simt device")) << said.err;
}

TEST(Unavailable, OfAHeaderThatIsRefusedNothingElseIsSaid) {
    const Folder folder;
    folder.write("part.h", "#include <cufft.h>\n");
    folder.write("a.cu",
                 "#include \"part.h\"\n#include <cuda_fp6.h>\nint main() {\n    cufftHandle plan;\n"
                 "    cufftPlan1d(&plan, 16, CUFFT_C2C, 1);\n    __nv_fp8_e4m3 x;\n}\n");
    const Said said = in(folder, "run a.cu");
    EXPECT_EQ(said.status, 3);
    EXPECT_EQ(said.err,
              "part.h:1: error: cufft.h: cuFFT is not available on the simt device: a GPU is needed\n"
              "a.cu:2: error: cuda_fp6.h: numbers of 6 bits are not available on the simt device: a GPU is needed\n"
              "lanework: a.cu does not compile\n");
}

TEST(Unavailable, PowersOfTwoInEightBitsAreNamedByTypeAndByConversion) {
    const Said said = run_of(
        "#include <cuda_fp8.h>\n__global__ void kernel(float x) {\n    __nv_fp8_e8m0 scale(x);\n"
        "    __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf);\n}\nint main() {}\n");
    EXPECT_EQ(said.status, 3);
    EXPECT_TRUE(contains(said.err,
                         "the simt device has no powers of two in 8 bits, which CUDA 13 has (__nv_fp8_e8m0, "
                         "__nv_cvt_float_to_e8m0)"))
        << said.err;
}

TEST(Unavailable, SizesOfClustersAreNamed) {
    const Said clusters = run_of("int main() { int n; cudaOccupancyMaxActiveClusters(&n, main, nullptr); }\n");
    EXPECT_TRUE(contains(clusters.err, "no clusters of blocks (cudaOccupancyMaxActiveClusters)")) << clusters.err;
}

TEST(Unavailable, AGpuThatIsNotThereIsSaidAheadOfNvcc) {
    if (std::filesystem::exists("/dev/nvidiactl") || std::filesystem::exists("/dev/dxg"))
        GTEST_SKIP() << "there may be a GPU here";
    const Said run = run_of("int main() {}\n", "--device cuda");
    EXPECT_EQ(run.status, 77);
    EXPECT_TRUE(run.err.starts_with("lanework: --device cuda: ")) << run.err;
}

TEST(Unavailable, AKernelThatIsNowhereIsSaidWithoutOurHeaders) {
    const Said run = run_of("__global__ void hello(int) {}\nint main() {\n    helo<<<1, 1>>>(3);\n}\n");
    EXPECT_EQ(run.status, 3);
    EXPECT_TRUE(contains(run.err, "a.cu:3:")) << run.err;
    EXPECT_FALSE(contains(run.err, "LANEWORK_SIGNATURE") || contains(run.err, "launch.hpp")) << run.err;
    const std::size_t first = run.err.find("error:");
    ASSERT_NE(first, std::string::npos);
    const std::string line = run.err.substr(run.err.rfind('\n', first) + 1, run.err.find('\n', first) - first);
    EXPECT_EQ(run.err.find(line, first), std::string::npos) << run.err;
}

TEST(Unavailable, GeneratorsAreNamedAtTheLineThatAsksForThem) {
    for (const std::string name :
         {"PSEUDO_MTGP32", "PSEUDO_MT19937", "QUASI_SCRAMBLED_SOBOL32", "QUASI_SCRAMBLED_SOBOL64"}) {
        const Said run = run_of(
            "#include <curand.h>\nint main() {\n    curandGenerator_t g;\n    curandCreateGenerator(&g, CURAND_RNG_" +
            name + ");\n}\n");
        EXPECT_EQ(run.status, 3) << name;
        EXPECT_TRUE(contains(run.err, "a.cu:4:") &&
                    contains(run.err, "is unavailable: the simt device has XORWOW, MRG32k3a"))
            << run.err;
    }
    const Said states = run_of(
        "#include <curand_kernel.h>\n__global__ void kernel(curandStateMtgp32_t* s) { *s = {}; }\nint main() {}\n");
    EXPECT_TRUE(contains(states.err, "the simt device has no Mersenne Twister (curandStateMtgp32_t)")) << states.err;
}

TEST(HostCalls, InAKernelAreRefusedAsNvccRefusesThem) {
    const auto program = [](const std::string& before, const std::string& call) {
        return before + "__global__ void kernel(int* p) {\n    if (p) *p = " + call +
               ";\n}\nint main() { kernel<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }\n";
    };
    const Said own = run_of(program("static int weigh_apples(int i) { return i; } ", "weigh_apples(1)"));
    EXPECT_EQ(own.status, 3);
    EXPECT_TRUE(
        own.err.starts_with("a.cu:2:17: error: a __global__ function calls weigh_apples, a function of the host"))
        << own.err;
    const Said library = run_of(program("#include <cstdlib>\n", "rand() % 3"));
    EXPECT_EQ(library.status, 3);
    EXPECT_TRUE(library.err.starts_with("a.cu:3:17: error: a __global__ function calls rand,")) << library.err;
    const std::string constant = program("constexpr int weigh_apples(int i) { return i; } ", "weigh_apples(1)");
    EXPECT_EQ(run_of(constant).status, 3);
    EXPECT_EQ(run_of(constant, "--expt-relaxed-constexpr").status, 0);
    // What CUDA's headers have under that name may be meant.
    EXPECT_EQ(
        run_of(program("float dot(float a, float b) { return a * b; } ", "__float2int_rn(fmaxf(1.f, 2.f))")).status, 0);
}

/// The rules are those that nvcc 13.0 has, asked with every type and function below.
TEST(ScopedAtomics, OfOtherTypesThanNvccTakesAreRefusedAtTheLineThatCallsThem) {
    const std::string value = "takes integral types alone", exchanged = "takes objects of 4, 8 or 16 bytes",
                      changed = "take objects of 4 or 8 bytes", whole = "take no floating-point types";
    const auto says = [&](const std::string& type, const std::string& call, const std::string& message) {
        const Said run = run_of("__global__ void kernel(" + type + "* p, " + type + " v) {\n    " + call +
                                ";\n}\nint main() { kernel<<<1, 1>>>(nullptr, 0); }\n");
        EXPECT_EQ(run.status == 3, !message.empty()) << type << ": " << call << "\n" << run.err;
        EXPECT_TRUE(message.empty() || (contains(run.err, "a.cu:2:") && contains(run.err, message)))
            << type << ": " << call << "\n"
            << run.err;
    };
    for (const std::string type : {"float", "double", "int*"}) {
        says(type, "v = __nv_atomic_load_n(p, 0, 4)", value);
        says(type, "__nv_atomic_store_n(p, v, 0, 4)", value);
        says(type, "v = __nv_atomic_exchange_n(p, v, 0, 4)", value);
        says(type, "__nv_atomic_compare_exchange_n(p, &v, v, false, 0, 0, 4)", value);
    }
    says("float", "__nv_atomic_fetch_max(p, v, 0, 4)", whole);
    says("short", "v = __nv_atomic_exchange_n(p, v, 0, 4)", exchanged);
    says("char", "__nv_atomic_compare_exchange_n(p, &v, v, false, 0, 0, 4)", "takes objects of 2, 4, 8 or 16 bytes");
    says("short", "__nv_atomic_add(p, v, 0, 4)", changed);
    says("long long", "__nv_atomic_fetch_add(p, v, 0, 4)", "take unsigned integers of 8 bytes");
    // Those without _n take any, and sums are of all numbers; a kernel that is not run need not have memory.
    says("float",
         "if (p) { __nv_atomic_load(p, &v, 0, 4); __nv_atomic_exchange(p, &v, &v, 0, 4); __nv_atomic_store(p, &v, 0, "
         "4); "
         "__nv_atomic_compare_exchange(p, &v, &v, false, 0, 0, 4); __nv_atomic_fetch_add(p, v, 0, 4); }",
         "");
    says("unsigned long long", "if (p) { __nv_atomic_fetch_add(p, v, 0, 4); v = __nv_atomic_load_n(p, 0, 4); }", "");
}

TEST(MacrosOfOneLetter, GivenOnTheCommandLineDoNotReachCudasHeaders) {
    std::string letters;
    for (char letter = 'A'; letter <= 'Z'; ++letter) letters += std::string(" -D") + letter + "=7";
    const Said run = run_of(
        "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cublas_v2.h>\n"
        "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <curand.h>\n#include <curand_kernel.h>\n#include "
        "<mma.h>\n" +
            program_with("__global__ void kernel(int* data) { atomicAdd(&data[0], A + N); }",
                         "kernel<<<1, T>>>(data); int sum; cudaMemcpy(&sum, data, 4, cudaMemcpyDeviceToHost); "
                         "std::printf(\"%d \", sum);"),
        letters);
    EXPECT_EQ(run.out, "98 cudaSuccess\n") << run.err;
}

}  // namespace
}  // namespace lanework
