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
    const std::string whole = program(body);
    std::size_t line = 1, expected = 0;
    for (std::size_t begin = 0, end; (end = whole.find('\n', begin)) != whole.npos; begin = end + 1, ++line) {
        const bool wrong = whole.substr(begin, end - begin).ends_with("// here");
        EXPECT_EQ(contains(said, "stream_race  a.cu:" + std::to_string(line) + " ") ||
                      contains(said, "stream_race  a.cu:" + std::to_string(line) + ":") ||
                      contains(said, "stream_race  a.cu:" + std::to_string(line) + "\n"),
                  wrong)
            << "line " << line << "\n"
            << said;
        expected += wrong;
    }
    EXPECT_EQ(expected, parts.size());
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

/// Threads of the host order their work among themselves, which nobody sees: nothing is said, and nothing breaks.
/// As above, with handles of cuBLAS and cuRAND and arrays of 64 x 64 floats.
std::string with_libraries(const std::string& body) {
    return R"(#include <cublas_v2.h>
#include <curand.h>
__global__ void ones(float* to) { to[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void twice(const float* from, float* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = 2 * from[i];
}
int main() {
    const int n = 64;
    float *a, *b, *c, *d, one = 1, zero = 0, sum;
    for (float** each : {&a, &b, &c, &d}) cudaMalloc(each, n * n * sizeof(float));
    for (float* each : {a, b, c, d}) cudaMemset(each, 0, n * n * sizeof(float));
    cudaStream_t s, t;
    cudaStreamCreate(&s); cudaStreamCreate(&t);
    cudaEvent_t e;
    cudaEventCreate(&e);
    cublasHandle_t blas;
    cublasCreate(&blas); cublasSetStream(blas, s);
    curandGenerator_t random;
    curandCreateGenerator(&random, CURAND_RNG_PSEUDO_DEFAULT); curandSetStream(random, s);
    cudaDeviceSynchronize();
)" + body + "    cudaDeviceSynchronize();\n    return 0;\n}\n";
}

TEST(StreamOrder, NamesWorkOfLibrariesThatNothingOrders) {
    const std::string product = "cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, b, n, &zero, c, n);";
    const std::vector<std::pair<std::string, std::string>> parts = {
        {"ones<<<n, n, 0, t>>>(b);\n" + product, "cublasSgemm reads 16384 bytes that kernel ones"},
        {product + "\ntwice<<<n, n, 0, t>>>(c, d);", "kernel twice reads 16384 bytes that cublasSgemm"},
        {"cublasSaxpy(blas, n, &one, a, 1, c, 1);\nones<<<n, n, 0, t>>>(a);",
         "kernel ones writes 256 bytes that cublasSaxpy"},
        {"curandGenerateUniform(random, a, n * n);\ntwice<<<n, n, 0, t>>>(a, d);",
         "kernel twice reads 16384 bytes that curandGenerateUniform"},
        {"ones<<<n, n, 0, t>>>(a);\ncublasSnrm2(blas, n, a, 1, &sum);",
         "cublasSnrm2 reads 256 bytes that kernel ones"}};
    for (const auto& [part, says] : parts) {
        const Folder folder;
        folder.write("a.cu", with_libraries(part));
        const Said run = in(folder, "check -lcublas -lcurand a.cu");
        EXPECT_EQ(run.status, 1) << part << run.err;
        EXPECT_TRUE(contains(run.err, "stream_race  a.cu:23") && contains(run.err, says)) << part << run.err;
    }
}

TEST(StreamOrder, IsSilentOfWorkOfLibrariesThatSomethingOrders) {
    const Folder folder;
    folder.write("a.cu",
                 with_libraries("curandGenerateUniform(random, a, n * n);\n"
                                "cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, b, n, &zero, c, n);\n"
                                "cudaEventRecord(e, s); cudaStreamWaitEvent(t, e);\n"
                                "twice<<<n, n, 0, t>>>(c, d);\n"
                                // Its result is the host's, which waits for it, and with it for what came before.
                                "curandGenerateUniform(random, b, n * n); cublasSnrm2(blas, n, b, 1, &sum);\n"
                                "ones<<<n, n, 0, t>>>(b);\n"
                                "cublasSetStream(blas, t); cublasSscal(blas, n, &one, b, 1);\n"
                                "cublasSetStream(blas, nullptr); cublasSscal(blas, n, &one, b, 1);\n"));
    const Said run = in(folder, "check -lcublas -lcurand a.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "a.cu: no findings")) << run.err;
}

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

}  // namespace
}  // namespace lanework
