// cuBLAS in programs that are checked: what it reads and writes, and the sizes that it refuses.
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

/// A call of cuBLAS on y, which nobody has written, with a factor, and how many elements of y are read then.
struct BlasCall {
    const char* call;
    const char* factor;
    int elements;
};

TEST(Blas, LeavesUnwrittenWhatItReadsBeforeItWrites) {
    constexpr BlasCall kUnwritten[] = {{"axpy", "1", 256},        {"scal", "2", 256},      {"rot", "1", 256},
                                       {"gemv", "1", 16},         {"gemm", "1", 256},      {"lower", "1", 16},
                                       {"lower", "0", 17},        {"upper", "0", 2},       {"trsm", "1", 256},
                                       {"geam in place", "1", 1}, {"getrf", "0", 256},     {"dgmm in place", "0", 256},
                                       {"ger", "0", 256},         {"every second", "0", 2}};
    constexpr BlasCall kWritten[] = {{"copy", "0", 256}, {"gemv", "0", 16},       {"gemm", "0", 256},
                                     {"lower", "0", 16}, {"upper", "0", 1},       {"trsm", "0", 256},
                                     {"geam", "0", 256}, {"dgmm", "0", 256},      {"geam in place", "0", 256},
                                     {"swap", "0", 256}, {"every second", "0", 1}};
    const Folder folder;
    folder.write("a.cu", R"(#include <cublas_v2.h>
#include <cstdlib>
#include <cstring>
#include <vector>
__global__ void read(const float* a, int elements, float* out) {
    for (int i = threadIdx.x; i < elements; i += blockDim.x) out[i] = a[i];
}
int main(int, char** argv) {
    const auto is = [&](const char* name) { return std::strcmp(argv[1], name) == 0; };
    float *x, *y, *out, **factored;
    int* info;
    for (float** each : {&x, &y, &out}) cudaMalloc(each, 256 * sizeof(float));
    const std::vector<float> ones(256, 1.0f);
    cudaMemcpy(x, ones.data(), 256 * sizeof(float), cudaMemcpyDefault);
    cudaMalloc(&factored, sizeof y);
    cudaMemcpy(factored, &y, sizeof y, cudaMemcpyDefault);
    cudaMalloc(&info, sizeof *info);
    cublasHandle_t blas;
    cublasCreate(&blas);
    const float one = 1, half = 0.5f, factor = std::atof(argv[2]);
    const auto none = CUBLAS_OP_N;
    const auto left = CUBLAS_SIDE_LEFT;
    const auto lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;
    if (is("axpy")) cublasSaxpy(blas, 256, &one, x, 1, y, 1);
    if (is("scal")) cublasSscal(blas, 256, &factor, y, 1);
    if (is("rot")) cublasSrot(blas, 256, x, 1, y, 1, &half, &half);
    if (is("swap")) cublasSswap(blas, 256, x, 1, y, 1);
    if (is("copy")) cublasScopy(blas, 256, x, 1, y, -1);
    if (is("every second")) cublasScopy(blas, 128, x, 1, y, 2);
    if (is("gemv")) cublasSgemv(blas, none, 16, 16, &one, x, 16, x, 1, &factor, y, 1);
    if (is("ger")) cublasSger(blas, 16, 16, &one, x, 1, x, 1, y, 16);
    if (is("gemm")) cublasSgemm(blas, none, none, 16, 16, 16, &one, x, 16, x, 16, &factor, y, 16);
    if (is("lower")) cublasSsyrk(blas, lower, none, 16, 16, &one, x, 16, &factor, y, 16);
    if (is("upper")) cublasSsyrk(blas, upper, none, 16, 16, &one, x, 16, &factor, y, 16);
    if (is("trsm")) cublasStrsm(blas, left, lower, none, CUBLAS_DIAG_UNIT, 16, 16, &factor, x, 16, y, 16);
    if (is("geam")) cublasSgeam(blas, none, none, 16, 16, &one, x, 16, &one, x, 16, y, 16);
    if (is("geam in place")) cublasSgeam(blas, none, none, 16, 16, &factor, y, 16, &one, x, 16, y, 16);
    if (is("dgmm")) cublasSdgmm(blas, left, 16, 16, x, 16, x, 1, y, 16);
    if (is("dgmm in place")) cublasSdgmm(blas, left, 16, 16, y, 16, x, 1, y, 16);
    if (is("getrf")) cublasSgetrfBatched(blas, 16, factored, 16, nullptr, info, 1);
    read<<<1, 32>>>(y, std::atoi(argv[3]), out);
}
)");
    const auto check = [&](const BlasCall& one) {
        return in(folder, "check a.cu -lcublas -- '" + std::string(one.call) + "' " + one.factor + " " +
                              std::to_string(one.elements));
    };
    for (const BlasCall& one : kUnwritten) {
        const Said run = check(one);
        EXPECT_TRUE(contains(run.err, "1 finding") && contains(run.err, "uninitialised_read"))
            << one.call << " " << one.factor << " " << run.err;
    }
    for (const BlasCall& one : kWritten) EXPECT_EQ(check(one).status, 0) << one.call << " " << one.factor;
}

TEST(Blas, RefusesSizesThatCublasRefuses) {
    const Folder folder;
    folder.write("a.cu", R"(#include <cublas_v2.h>
#include <cstdio>
int main() {
    float *x, **factored;
    int* info;
    cudaMalloc(&x, 256 * sizeof(float));
    cudaMemset(x, 0, 256 * sizeof(float));
    cudaMalloc(&factored, sizeof x);
    cudaMalloc(&info, sizeof *info);
    cublasHandle_t blas;
    cublasCreate(&blas);
    const float one = 1;
    const auto none = CUBLAS_OP_N;
    const auto left = CUBLAS_SIDE_LEFT;
    const auto lower = CUBLAS_FILL_MODE_LOWER;
    const cublasStatus_t all[] = {
        cublasSdgmm(blas, left, -1, 16, x, 16, x, 1, x, 16),
        cublasSdgmm(blas, left, 16, 16, x, 15, x, 1, x, 16),
        cublasSgeam(blas, none, none, -1, 16, &one, x, 16, &one, x, 16, x, 16),
        cublasSgeam(blas, CUBLAS_OP_T, none, 8, 16, &one, x, 8, &one, x, 16, x, 16),
        cublasSgetrfBatched(blas, 16, factored, 16, nullptr, info, -1),
        cublasSgetrfBatched(blas, -1, factored, 16, nullptr, info, 1),
        cublasSgetriBatched(blas, 16, factored, 15, nullptr, factored, 16, info, 1),
        cublasSsyrk(blas, lower, none, -70000, 16, &one, x, 16, &one, x, 16),
        cublasStrsm(blas, left, lower, none, CUBLAS_DIAG_UNIT, 16, -1, &one, x, 16, x, 16),
        cublasSger(blas, 16, -1, &one, x, 1, x, 1, x, 16),
        cublasSsymv(blas, lower, -70000, &one, x, 16, x, 1, &one, x, 1),
        cublasSsymm(blas, left, lower, -70000, 16, &one, x, 16, x, 16, &one, x, 16)};
    for (const cublasStatus_t one : all) std::printf("%d ", one == CUBLAS_STATUS_INVALID_VALUE);
}
)");
    EXPECT_EQ(in(folder, "check a.cu -lcublas").out, "1 1 1 1 1 1 1 1 1 1 1 1 ");
}

/// In a stream that is captured a call becomes a step of the graph: factors of the host are what they were then.
TEST(Blas, CallsThatAreCapturedAreStepsOfTheGraph) {
    const Folder folder;
    folder.write("a.cu", R"(#include <cublas_v2.h>
#include <curand.h>
#include <cstdio>
int main() {
    constexpr int n = 8;
    float *x, *random, *factor, *result, host[n], two = 2, one = 1, zero = 0, norm = 0;
    for (float** each : {&x, &random}) cudaMalloc(each, n * sizeof(float));
    for (float** each : {&factor, &result}) cudaMalloc(each, sizeof(float));
    for (float& each : host) each = 1;
    cudaMemcpy(x, host, sizeof host, cudaMemcpyDefault);
    cudaMemcpy(factor, &one, sizeof one, cudaMemcpyDefault);
    cudaStream_t s;
    cudaStreamCreate(&s);
    cublasHandle_t by_host, by_device;
    cublasCreate(&by_host); cublasSetStream(by_host, s);
    cublasCreate(&by_device); cublasSetStream(by_device, s);
    cublasSetPointerMode(by_device, CUBLAS_POINTER_MODE_DEVICE);
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT); curandSetStream(generator, s);
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cublasSscal(by_host, n, &two, x, 1);
    cublasSscal(by_device, n, factor, x, 1);
    cublasSnrm2(by_device, n, x, 1, result);
    curandGenerateUniform(generator, random, n);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    const auto show = [&](const char* when) {
        float first, drawn;
        cudaMemcpy(&first, x, sizeof first, cudaMemcpyDefault);
        cudaMemcpy(&drawn, random, sizeof drawn, cudaMemcpyDefault);
        cudaMemcpy(&norm, result, sizeof norm, cudaMemcpyDefault);
        std::printf("%s %g %g %.6f\n", when, first, norm * norm, drawn);
    };
    cudaMemset(random, 0, n * sizeof(float)); cudaMemset(result, 0, sizeof(float));
    two = 100;
    const float three = 3;
    cudaMemcpy(factor, &three, sizeof three, cudaMemcpyDefault);
    show("captured");
    cublasSetStream(by_host, nullptr);
    for (int i = 0; i < 2; ++i) cudaGraphLaunch(ready, s);
    cudaStreamSynchronize(s);
    show("launched");
    cublasSetStream(by_host, s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    std::printf("%s", cublasGetStatusName(cublasSnrm2(by_host, n, x, 1, &norm)));
    std::printf(" %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    std::printf("%d\n", cublasSgemm(by_host, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, x, 1, x, 1, &zero, x, 1));
}
)");
    const Said run = in(folder, "run a.cu -lcublas -lcurand");
    EXPECT_TRUE(contains(run.out, "captured 1 0 0.000000\nlaunched 36 10368 ")) << run.out << run.err;
    EXPECT_FALSE(contains(run.out, "launched 36 10368 0.000000") || contains(run.out, "0.740219")) << run.out;
    EXPECT_TRUE(contains(run.out, "\nCUBLAS_STATUS_NOT_SUPPORTED cudaErrorStreamCaptureInvalidated\n7\n")) << run.out;
}

}  // namespace
}  // namespace lanework
