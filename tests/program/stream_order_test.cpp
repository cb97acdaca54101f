// Work on several streams: what nothing orders is a finding at its line, and what something orders is none.
#include <string>
#include <utility>
#include <vector>

#include "tests/program/programs.hpp"

namespace lanework {
namespace {

/// Streams `s` and `t`, one `aside` that waits for no default stream, and arrays of n bytes: three of the device's, and
/// `h` of the host's, page-locked.
std::string program(const std::string& body) {
    return R"(#include <cstdio>
__global__ void write(char* to, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = 1; }
__global__ void copy(char* to, const char* from, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i]; }
__global__ void count(unsigned* sum) { atomicAdd(sum, 1u); }
__global__ void tell(volatile int* flag) { *flag = 1; }
int main() {
    const int n = 1003;
    char *a, *b, *c, *h;
    unsigned* sum;
    cudaMalloc(&a, n); cudaMalloc(&b, n); cudaMalloc(&c, n); cudaMalloc(&sum, 4); cudaMallocHost(&h, n);
    cudaMemset(a, 0, n); cudaMemset(b, 0, n); cudaMemset(c, 0, n); cudaMemset(sum, 0, 4);
    for (int i = 0; i < n; ++i) h[i] = 2;
    cudaStream_t s, t, aside;
    cudaStreamCreate(&s); cudaStreamCreate(&t); cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
    cudaEvent_t e, f;
    cudaEventCreate(&e); cudaEventCreate(&f);
    cudaDeviceSynchronize();
)" + body + "    cudaDeviceSynchronize();\n    return 0;\n}\n";
}

std::string checked(const std::string& body, int status) {
    const Folder folder;
    folder.write("a.cu", program(body));
    const Said run = in(folder, "check a.cu");
    EXPECT_EQ(run.status, status) << run.err;
    return run.err;
}

/// That there is a stream_race at each line of the program which ends with "// here", and nowhere else; how many these
/// are.
std::size_t expect_at_marks(const std::string& said, const std::string& whole) {
    std::size_t line = 1, expected = 0;
    for (std::size_t begin = 0, end; (end = whole.find('\n', begin)) != whole.npos; begin = end + 1, ++line) {
        const bool wrong = whole.substr(begin, end - begin).ends_with("// here");
        const std::string place = "stream_race  a.cu:" + std::to_string(line);
        EXPECT_EQ(contains(said, place + " ") || contains(said, place + ":") || contains(said, place + "\n"), wrong)
            << "line " << line << "\n"
            << said;
        expected += wrong;
    }
    return expected;
}

/// Each of these is a program's part with one finding, at the line that holds ">>" or a call and ends with "// here".
TEST(StreamOrder, NamesWorkThatNothingOrders) {
    const std::vector<std::string> parts = {
        "write<<<1, 64, 0, s>>>(a, n);\n"
        "copy<<<1, 64, 0, t>>>(b, a, n);  // here\n",
        "cudaMemcpyAsync(a, h, n, cudaMemcpyHostToDevice, s);\n"
        "copy<<<1, 64, 0, t>>>(b, a, n);  // here\n",
        "copy<<<1, 64, 0, s>>>(b, a, n);\n"
        "cudaMemsetAsync(a, 0, n, t);  // here\n",
        "write<<<1, 64, 0, aside>>>(a, n);\n"
        "cudaMemcpy(h, a, n, cudaMemcpyDeviceToHost);  // here\n",
        "write<<<1, 64, 0, s>>>(a, n);\n"
        "write<<<1, 64, 0, t>>>(a + n - 1, 1);  // here\n",
        "cudaEventRecord(e, s);\n"
        "write<<<1, 32, 0, s>>>(a, n);\n"
        "cudaStreamWaitEvent(t, e);\n"
        "copy<<<1, 64, 0, t>>>(c, a, n);  // here\n",
        "count<<<1, 64, 0, s>>>(sum);\n"
        "cudaMemsetAsync(sum, 0, 4, t);  // here\n",
        "cudaMemcpyAsync(h, a, n, cudaMemcpyDeviceToHost, s);\n"
        "cudaMemcpyAsync(b, h, n, cudaMemcpyHostToDevice, t);  // here\n"};
    std::string body;
    for (const std::string& part : parts) body += part + "cudaDeviceSynchronize();\n";
    const std::string said = checked(body, 1);
    EXPECT_EQ(expect_at_marks(said, program(body)), parts.size());
    EXPECT_TRUE(contains(
        said, "kernel copy reads 1003 bytes that kernel write, handed over in line 18 to another stream, writes"))
        << said;
}

TEST(StreamOrder, IsSilentOfWhatSomethingOrders) {
    checked(
        // an event, and events in a row
        "    write<<<1, 64, 0, s>>>(a, n);\n"
        "    cudaEventRecord(e, s); cudaStreamWaitEvent(t, e);\n"
        "    copy<<<1, 64, 0, t>>>(b, a, n);\n"
        "    cudaEventRecord(f, t); cudaStreamWaitEvent(aside, f);\n"
        "    copy<<<1, 64, 0, aside>>>(c, b, n);\n"
        "    write<<<1, 64, 0, aside>>>(a, n);\n"
        // the host waits: for a stream, an event
        "    cudaStreamSynchronize(aside);\n"
        "    write<<<1, 64, 0, t>>>(c, n);\n"
        "    cudaEventRecord(e, t); cudaEventSynchronize(e);\n"
        "    copy<<<1, 64, 0, s>>>(a, c, n);\n"
        // the default stream waits for blocking streams, and they for it; a copy that waits
        "    cudaMemset(a, 0, n);\n"
        "    copy<<<1, 64, 0, t>>>(b, a, n);\n"
        "    cudaMemcpy(h, b, n, cudaMemcpyDeviceToHost);\n"
        "    write<<<1, 64, 0, aside>>>(b, n);\n"
        "    cudaDeviceSynchronize();\n"
        // parts of one array, readers, and atomic operations
        "    write<<<1, 64, 0, s>>>(a, 501);\n"
        "    write<<<1, 64, 0, t>>>(a + 501, 502);\n"
        "    copy<<<1, 64, 0, s>>>(b, c, 100);\n"
        "    copy<<<1, 64, 0, t>>>(b + 100, c, 100);\n"
        "    count<<<1, 64, 0, s>>>(sum);\n"
        "    count<<<1, 64, 0, t>>>(sum);\n"
        "    cudaMemcpy2DAsync(b + 200, 20, c, 10, 10, 10, cudaMemcpyDeviceToDevice, s);\n"
        "    cudaMemcpy2DAsync(b + 210, 20, c, 10, 10, 10, cudaMemcpyDeviceToDevice, t);\n"
        "    cudaDeviceSynchronize();\n"
        // pageable memory is free when the call returns
        "    char local[100] = {};\n"
        "    cudaMemcpyAsync(a + 700, local, 100, cudaMemcpyHostToDevice, s);\n"
        "    cudaMemcpyAsync(local, c, 100, cudaMemcpyDeviceToHost, t);\n"
        // memory that came from another's free, and a stream that was asked
        "    char* d;\n"
        "    write<<<1, 64, 0, s>>>(c, n);\n"
        "    cudaFree(c); cudaMalloc(&d, n);\n"
        "    write<<<1, 64, 0, t>>>(d, n);\n"
        "    while (cudaStreamQuery(t) != cudaSuccess) {}\n"
        "    copy<<<1, 64, 0, s>>>(b, d, n);\n"
        "    cudaLaunchHostFunc(s, [](void*) {}, nullptr);\n"
        "    copy<<<1, 64, 0, t>>>(a, b, n);\n"
        // a graph's edges, and what comes behind it in its stream
        "    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);\n"
        "    write<<<1, 64, 0, s>>>(a, n);\n"
        "    cudaEventRecord(e, s); cudaStreamWaitEvent(t, e);\n"
        "    copy<<<1, 64, 0, t>>>(b, a, n);\n"
        "    cudaEventRecord(f, t); cudaStreamWaitEvent(s, f);\n"
        "    write<<<1, 64, 0, s>>>(a, n);\n"
        "    cudaGraph_t graph; cudaGraphExec_t ready;\n"
        "    cudaStreamEndCapture(s, &graph); cudaGraphInstantiate(&ready, graph, 0);\n"
        "    cudaGraphLaunch(ready, s);\n"
        "    cudaGraphLaunch(ready, s);\n"
        "    copy<<<1, 64, 0, s>>>(d, b, n);\n",
        0);
}

/// Lines of managed and page-locked memory that the host touches while work that uses it may go on.
TEST(StreamOrder, NamesWhatTheHostTouchesTooSoon) {
    const std::string said = checked(
        "    int* m; cudaMallocManaged(&m, 4 * n);\n"                 // 18
        "    for (int i = 0; i < n; ++i) m[i] = 0;\n"                 // 19
        "    write<<<1, 64>>>((char*)m, 4 * n);\n"                    // 20
        "    std::printf(\"%d\\n\", m[n - 1]);\n"                     // 21: reads
        "    cudaDeviceSynchronize();\n"                              // 22
        "    cudaMemcpyAsync(h, a, n, cudaMemcpyDeviceToHost, s);\n"  // 23
        "    h[n / 2] = 3;\n"                                         // 24: writes what is written
        "    cudaStreamSynchronize(s);\n"                             // 25
        "    cudaMemcpyAsync(b, h, n, cudaMemcpyHostToDevice, s);\n"  // 26
        "    std::printf(\"%d\\n\", h[0]);\n"                         // 27: reads what is read
        "    h[1] = 4;\n"                                             // 28: writes what is read
        "    cudaStreamSynchronize(s);\n"                             // 29
        "    h[1] = 5;\n",                                            // 30
        1);
    for (int line = 18; line <= 30; ++line)
        EXPECT_EQ(contains(said, "host_race  a.cu:" + std::to_string(line) + ":"),
                  line == 21 || line == 24 || line == 28)
            << line << "\n"
            << said;
    EXPECT_TRUE(contains(said, "the host reads what kernel write, handed over in line 20, writes")) << said;
    EXPECT_TRUE(contains(said, "the host writes what a copy to the device, handed over in line 26, reads")) << said;
}

TEST(StreamOrder, IsSilentOfWhatTheHostHasWaitedForOrWhatIsNotUsed) {
    checked(
        "    int *m, *flag; cudaMallocManaged(&m, 4 * n); cudaMallocHost(&flag, 4);\n"
        "    for (int i = 0; i < n; ++i) m[i] = 0;\n"
        "    write<<<1, 64>>>((char*)m, 4 * n);\n"
        "    cudaDeviceSynchronize();\n"
        "    m[3] = 4;\n"
        "    write<<<1, 64>>>((char*)m, 4 * n);\n"
        "    cudaMemcpy(h, m, n, cudaMemcpyDeviceToHost);\n"  // waits
        "    m[3] = h[4];\n"
        // Another page's, and the rest of a page.
        "    char* large; cudaMallocManaged(&large, 40960);\n"
        "    for (int i = 0; i < 40960; ++i) large[i] = 0;\n"
        "    write<<<1, 64>>>(large, 20000);\n"
        "    large[20000] = 1; large[30000] = 2;\n"
        "    cudaDeviceSynchronize();\n"
        // Read by both; a flag that tells the host.
        "    copy<<<1, 64>>>(a, large, n);\n"
        "    std::printf(\"%d\\n\", large[5]);\n"
        "    cudaDeviceSynchronize();\n"
        "    tell<<<1, 1>>>(flag);\n"
        "    while (*(volatile int*)flag == 0) {}\n"
        "    cudaDeviceSynchronize();\n"
        // CUDA fills and copies managed memory while the host waits, and calls its functions behind the work.
        "    cudaMemset(m, 0, 4 * n); m[0] = 1;\n"
        "    cudaMemcpy(large, m, n, cudaMemcpyDefault); large[1] = 2;\n"
        "    write<<<1, 64, 0, s>>>((char*)m, 4 * n);\n"
        "    cudaLaunchHostFunc(s, [](void* of) { std::printf(\"%d\\n\", *(int*)of); }, m);\n"
        "    cudaStreamSynchronize(s);\n"
        "    cudaEventRecord(e, s);\n"
        "    write<<<1, 64, 0, s>>>((char*)m, 4 * n);\n"
        "    cudaEventRecord(f, s);\n"
        "    float ms; while (cudaEventElapsedTime(&ms, e, f) == cudaErrorNotReady) {}\n"
        "    m[2] = 3;\n"
        // A flag that a later kernel sets says that an earlier one is done.
        "    *flag = 0;\n"
        "    write<<<1, 64>>>((char*)m, 4 * n); tell<<<1, 1>>>(flag);\n"
        "    while (*(volatile int*)flag == 0) {}\n"
        "    m[2] = 3;\n"
        "    cudaDeviceSynchronize();\n"
        "    cudaFreeHost(flag); cudaFree(large);\n",
        0);
}

/// As above, with handles of cuBLAS and cuRAND, arrays of 64 x 64 floats, `full` of the host's, page-locked, and arrays
/// of the addresses of a and b, c and d.
std::string with_libraries(const std::string& body) {
    return R"(#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <curand.h>
__global__ void set(float* to, float value) { to[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void twice(const float* from, float* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = 2 * from[i];
}
__global__ void set_row(float* to, int first, int end) { for (int j = first + threadIdx.x; j < end; j += blockDim.x) to[j * 64] = 1; }
const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T;
const auto left = CUBLAS_SIDE_LEFT;
const auto lower = CUBLAS_FILL_MODE_LOWER;
int main() {
    const int n = 64;
    float *a, *b, *c, *d, *full, **ab, **cd, one = 1, zero = 0, sum;
    static float host[n * n];
    for (float** each : {&a, &b, &c, &d}) cudaMalloc(each, n * n * sizeof(float));
    for (float* each : {a, b, c, d}) cudaMemset(each, 0, n * n * sizeof(float));
    cudaMallocHost(&full, n * n * sizeof(float));
    for (float*** each : {&ab, &cd}) cudaMalloc(each, 4 * sizeof(float*));
    float *from_ab[] = {a, b, a, b}, *from_cd[] = {c, d, c, d};
    cudaMemcpy(ab, from_ab, sizeof from_ab, cudaMemcpyDefault); cudaMemcpy(cd, from_cd, sizeof from_cd, cudaMemcpyDefault);
    int *pivots, *info;
    cudaMalloc(&pivots, 2 * n * sizeof(int)); cudaMalloc(&info, 2 * sizeof(int));
    cudaMemset(pivots, 0, 2 * n * sizeof(int)); cudaMemset(info, 0, 2 * sizeof(int));
    cudaStream_t s, t, aside;
    cudaStreamCreate(&s); cudaStreamCreate(&t); cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
    cudaEvent_t e, f;
    cudaEventCreate(&e); cudaEventCreate(&f);
    cublasHandle_t blas, by_device;
    cublasCreate(&blas); cublasSetStream(blas, s);
    cublasCreate(&by_device); cublasSetStream(by_device, s); cublasSetPointerMode(by_device, CUBLAS_POINTER_MODE_DEVICE);
    curandGenerator_t random, of_host;
    curandCreateGenerator(&random, CURAND_RNG_PSEUDO_DEFAULT); curandSetStream(random, s);
    curandCreateGeneratorHost(&of_host, CURAND_RNG_PSEUDO_DEFAULT);
    cudaDeviceSynchronize();
)" + body + "    cudaDeviceSynchronize();\n    return 0;\n}\n";
}

TEST(StreamOrder, NamesWorkOfLibrariesThatNothingOrders) {
    const std::string product = "cublasSgemm(blas, N, T, n, n, n, &one, a, n, b, n, &zero, c, n);";
    const std::vector<std::pair<std::string, std::string>> parts = {
        {"set<<<n, n, 0, t>>>(b, __LINE__);\n" + product, "cublasSgemm reads 16384 bytes that kernel set"},
        {product + "\ntwice<<<n, n, 0, t>>>(c, d);", "kernel twice reads 16384 bytes that cublasSgemm"},
        {"cublasSaxpy(blas, n, &one, a, 1, c, 1);\nset<<<n, n, 0, t>>>(a, __LINE__);",
         "kernel set writes 256 bytes that cublasSaxpy"},
        {"curandGenerateUniform(random, a, n * n);\ntwice<<<n, n, 0, t>>>(a, d);",
         "kernel twice reads 16384 bytes that curandGenerateUniform"},
        {"set<<<n, n, 0, t>>>(a, __LINE__);\ncublasSnrm2(blas, n, a, 1, &sum);",
         "cublasSnrm2 reads 256 bytes that kernel set"},
        {"cublasSswap(blas, n, a, 1, b, 1);\ntwice<<<1, n, 0, t>>>(b, d);",
         "kernel twice reads 256 bytes that cublasSswap"},
        {"cublasSscal(blas, n, &one, a, n);\ntwice<<<n, n, 0, t>>>(a, d);",
         "kernel twice reads 256 bytes that cublasSscal"},
        // Triangles, and the diagonal.
        {"set_row<<<1, n, 0, t>>>(a, 0, 1);\ncublasSsymv(blas, lower, n, &one, a, n, b, 1, &zero, c, 1);",
         "cublasSsymv reads 4 bytes that kernel set_row"},
        {"set<<<1, n, 0, t>>>(a, __LINE__);\ncublasSsymm(blas, left, lower, n, n, &one, a, n, b, n, &zero, c, n);",
         "cublasSsymm reads 256 bytes that kernel set"},
        {"set<<<1, n, 0, t>>>(a, __LINE__);\ncublasStrsm(blas, left, lower, N, CUBLAS_DIAG_UNIT, n, n, &one, a, n, c, "
         "n);",
         "cublasStrsm reads 252 bytes that kernel set"},
        // Batches are one call, and their addresses are read.
        {"set<<<n, n, 0, t>>>(a, __LINE__);\n"
         "cublasSgemmStridedBatched(blas, N, N, 2, 2, 2, &one, b, 2, 0, b, 2, 0, &zero, c, 2, 4, 100);\n"
         "twice<<<n, n, 0, s>>>(a, d);",
         "kernel twice reads 16384 bytes that kernel set"},
        {"cudaMemcpyAsync(ab, ab + 2, 16, cudaMemcpyDefault, t);\n"
         "cublasSgemmBatched(blas, N, N, n, n, n, &one, ab, n, ab, n, &zero, cd, n, 2);",
         "cublasSgemmBatched reads 16 bytes that a copy"},
        {"set<<<n, n, 0, t>>>(b, __LINE__);\n"
         "cublasGemmBatchedEx(blas, N, N, n, n, n, &one, (void**)ab, CUDA_R_32F, n, (void**)ab, CUDA_R_32F, n, &zero, "
         "(void**)cd, "
         "CUDA_R_32F, n, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);",
         "cublasGemmBatchedEx reads 16384 bytes that kernel set"},
        {"set<<<n, n, 0, t>>>(b, __LINE__); const __half half = 1.0f;\n"
         "cublasHgemm(blas, N, N, n, n, n, &half, (__half*)b, n, (__half*)b, n, &half, (__half*)c, n);",
         "cublasHgemm reads 8192 bytes that kernel set"},
        {"cublasSgetriBatched(blas, n, ab, n, nullptr, cd, n, info, 2);\ntwice<<<n, n, 0, t>>>(c, b);",
         "kernel twice reads 16384 bytes that cublasSgetriBatched"},
        {"cublasSgetriBatched(blas, n, ab, n, nullptr, cd, n, info, 2);\n"
         "cudaMemsetAsync(info, 0, 8, t);",
         "a fill writes 8 bytes that cublasSgetriBatched"},
        {"cublasSgetrfBatched(blas, n, ab, n, pivots, info, 2); cudaStreamSynchronize(s);\n"
         "cudaMemcpyAsync(pivots, pivots + n, 4, cudaMemcpyDefault, t);\n"
         "cublasSgetriBatched(blas, n, ab, n, pivots, cd, n, info, 2);",
         "cublasSgetriBatched reads 4 bytes that a copy"},
        // Numbers that the device has.
        {"set<<<1, 1, 0, t>>>(a, __LINE__);\ncublasSscal(by_device, n, a, b, 1);",
         "cublasSscal reads 4 bytes that kernel set"},
        {"set<<<1, 1, 0, t>>>(a, __LINE__);\ncublasSrot(by_device, n, b, 1, c, 1, d, a);",
         "cublasSrot reads 4 bytes that kernel set"},
        {"cublasSnrm2(by_device, n, a, 1, b);\nset<<<1, 1, 0, t>>>(b, __LINE__);",
         "kernel set writes 4 bytes that cublasSnrm2"},
        // Copies of the default stream.
        {"twice<<<n, n, 0, aside>>>(a, c);\ncublasSetMatrix(n, n, 4, host, n, a, n);",
         "a copy to the device writes 16384 bytes that kernel twice"},
        {"set<<<n, n, 0, aside>>>(a, __LINE__);\ncublasGetVector(n, 4, a, 1, host, 1);",
         "a copy to the host reads 256 bytes that kernel set"}};
    std::string body;
    for (const auto& [part, says] : parts) body += part + "  // here\ncudaDeviceSynchronize();\n";
    const Folder folder;
    folder.write("a.cu", with_libraries(body));
    const Said run = in(folder, "check -lcublas -lcurand a.cu");
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_EQ(expect_at_marks(run.err, with_libraries(body)), parts.size());
    for (const auto& [part, says] : parts) EXPECT_TRUE(contains(run.err, says)) << says << "\n" << run.err;
}

TEST(StreamOrder, IsSilentOfWorkOfLibrariesThatSomethingOrders) {
    const Folder folder;
    folder.write(
        "a.cu",
        with_libraries(
            "curandGenerateUniform(random, a, n * n);\n"
            "cublasSgemm(blas, N, T, n, n, n, &one, a, n, b, n, &zero, c, n);\n"
            "cudaEventRecord(e, s); cudaStreamWaitEvent(t, e);\n"
            "twice<<<n, n, 0, t>>>(c, d);\n"
            // Its result is the host's, which waits for it, and with it for what came before.
            "curandGenerateUniform(random, b, n * n); cublasSnrm2(blas, n, b, 1, &sum);\n"
            "set<<<n, n, 0, t>>>(b, __LINE__);\n"
            "cublasSetStream(blas, t); cublasSscal(blas, n, &one, b, 1);\n"
            "cublasSetStream(blas, nullptr); cublasSscal(blas, n, &one, b, 1);\n"
            "cublasSetStream(blas, s);\n"
            // A copy waits for blocking streams, and the host for it.
            "cublasSgemm(blas, N, N, n, n, n, &one, a, n, b, n, &zero, c, n); cublasGetMatrix(n, n, 4, c, n, host, "
            "n);\n"
            "set<<<n, n, 0, t>>>(c, __LINE__);\n"
            "cudaDeviceSynchronize();\n"
            // The other triangle, a diagonal of ones, and what has the factor 0.
            "set_row<<<1, n, 0, t>>>(a, 1, n);\n"
            "cublasSsymv(blas, lower, n, &one, a, n, b, 1, &zero, c, 1);\n"
            "cublasSsymm(blas, left, lower, n, n, &one, a, n, b, n, &zero, c, n);\n"
            "cudaDeviceSynchronize();\n"
            "set_row<<<1, n, 0, t>>>(a, 0, 1);\n"
            "cublasStrsm(blas, left, lower, N, CUBLAS_DIAG_UNIT, n, n, &one, a, n, c, n);\n"
            "cudaDeviceSynchronize();\n"
            "set<<<n, n, 0, t>>>(a, __LINE__);\n"
            "cublasSgemm(blas, N, N, n, n, n, &zero, a, n, a, n, &one, c, n);\n"
            "cublasSgeam(blas, T, N, n, n, &one, b, n, &zero, a, n, c, n);\n"
            "cublasSgeam(blas, T, N, n, n, &one, b, n, &zero, nullptr, n, c, n);\n"
            "cublasStrsm(blas, left, lower, N, CUBLAS_DIAG_UNIT, n, n, &zero, a, n, c, n);\n"
            // A generator of the host fills its memory at once.
            "curandGenerateUniform(of_host, full, n * n); if (full[5] < 0) return 1;\n"
            "cudaMemcpyAsync(d, full, n * n * 4, cudaMemcpyDefault, aside);\n"
            "cudaDeviceSynchronize();\n"
            // Managed memory is the host's once it has waited.
            "float* m; cudaMallocManaged(&m, n * n * 4); for (int i = 0; i < n * n; ++i) m[i] = 1;\n"
            "cublasSscal(blas, n * n, &one, m, 1); cublasSscal(blas, n * n, &one, m, 1); cudaStreamSynchronize(s);\n"
            "m[3] = 2;\n"
            // A call that is captured is no work before its graph is launched.
            "cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);\n"
            "cublasSscal(blas, n, &one, c, 1);\n"
            "cudaEventRecord(e, s); cudaStreamWaitEvent(t, e);\n"
            "cublasSetStream(blas, t); cublasSscal(blas, n, &one, c, 1);\n"
            "cudaEventRecord(f, t); cudaStreamWaitEvent(s, f);\n"
            "cudaGraph_t graph; cudaGraphExec_t ready;\n"
            "cudaStreamEndCapture(s, &graph); cudaGraphInstantiate(&ready, graph, 0);\n"
            "twice<<<n, n, 0, t>>>(c, d);\n"
            "cudaDeviceSynchronize();\n"
            "cudaGraphLaunch(ready, s); cudaStreamSynchronize(s);\n"));
    const Said run = in(folder, "check -lcublas -lcurand a.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "a.cu: no findings")) << run.err;
}

/// Threads of the host order their work among themselves, which nobody sees: nothing is said, and nothing breaks.
TEST(StreamOrder, LeavesProgramsOfSeveralThreadsAlone) {
    const Folder folder;
    folder.write("a.cu", R"(
#include <cstdio>
#include <thread>
#include <vector>
__global__ void twice(int* m, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) m[i] *= 2; }
int main() {
    std::vector<std::thread> threads;
    int right[4] = {};
    for (int id = 0; id < 4; ++id)
        threads.emplace_back([id, &right] {
            constexpr int n = 2048;
            cudaStream_t stream;
            cudaStreamCreate(&stream);
            int *m, *h, *d;
            cudaMallocManaged(&m, n * sizeof(int)); cudaMallocHost(&h, n * sizeof(int)); cudaMalloc(&d, n * sizeof(int));
            for (int turn = 0; turn < 20; ++turn) {
                for (int i = 0; i < n; ++i) m[i] = h[i] = i + id;
                twice<<<1, 64, 0, stream>>>(m, n);
                cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, stream);
                twice<<<1, 64, 0, stream>>>(d, n);
                cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
                cudaStreamSynchronize(stream);
                right[id] += m[7] == 2 * (7 + id) && h[9] == 2 * (9 + id);
                int* more; cudaMalloc(&more, 4096); cudaFree(more);
            }
            cudaFree(m); cudaFreeHost(h); cudaFree(d); cudaStreamDestroy(stream);
        });
    for (std::thread& thread : threads) thread.join();
    std::printf("%d %d %d %d\n", right[0], right[1], right[2], right[3]);
}
)");
    for (int again = 0; again < 3; ++again) {
        const Said run = in(folder, "check a.cu");
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_EQ(run.out, "20 20 20 20\n");
    }
}

/// What another thread held when the process was forked nobody would give back in the child.
TEST(StreamOrder, AForkedProcessGoesOnWhereAnotherThreadWasTelling) {
    const Folder folder;
    folder.write("a.cu", R"(
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <thread>
int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event, stream);
    std::atomic<bool> goes_on = true;
    std::thread other([&] { while (goes_on) cudaEventRecord(event, stream); });
    int good = 0;
    for (int i = 0; i < 50; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(10);
            void* memory;
            _exit(cudaMalloc(&memory, 64) != cudaSuccess);
        }
        int status = 1;
        waitpid(child, &status, 0);
        good += status == 0;
        if (status != 0) break;
    }
    goes_on = false;
    other.join();
    std::printf("%d\n", good);
}
)");
    EXPECT_EQ(in(folder, "check a.cu").out, "50\n");
}

}  // namespace
}  // namespace lanework
