// `lanework run`: a program's output, input and exit status are its own.
#include <cmath>

#include "tests/program/programs.hpp"

namespace lanework {
namespace {

TEST(Run, GivesAProgramItsArgumentsAndItsInputAndItsExitStatusBack) {
    const Folder folder;
    folder.write("echo.cu",
                 "#include <cstdio>\n"
                 "int main(int argc, char** argv) {\n"
                 "    char word[32];\n"
                 "    while (std::scanf(\"%31s\", word) == 1) std::printf(\"[%s]\", word);\n"
                 "    for (int i = 1; i < argc; ++i) std::printf(\"<%s>\", argv[i]);\n"
                 "    return 7;\n"
                 "}\n");
    const Said run = shell("cd '" + folder.string() + "'; echo one two | lanework run echo.cu -- -x '3 4' --");
    EXPECT_EQ(run.status, 7) << run.err;
    EXPECT_EQ(run.out, "[one][two]<-x><3 4><-->");
    EXPECT_EQ(run.err, "");
}

TEST(Run, HasADeviceClockInKernelsAndTheCLibrarysOutside) {
    const Folder folder;
    folder.write(
        "a.cu",
        "#include <cstdio>\n#include <ctime>\n"
        "#define NOW clock()\n"
        "__host__ __device__ clock_t either() { return clock(); }\n"
        "__device__ void wait(clock_t ticks) { for (const clock_t begin = clock(); clock() - begin < ticks;) {} }\n"
        "__global__ void kernel(int* good) {\n"
        "    const long long begin = clock64(), shared = either(), macro = NOW;\n"
        "    wait(1'000'000);\n"
        "    const long long end = clock64();\n"
        "    good[0] = begin <= shared && shared <= macro && macro + 1'000'000 <= end;\n"
        "}\n"
        "int main() {\n"
        "    int* good;\n"
        "    cudaMallocManaged(&good, sizeof(int));\n"
        "    const std::clock_t begin = std::clock(), shared = either(), macro = NOW, end = clock();\n"
        "    kernel<<<1, 1>>>(good);\n"
        "    cudaDeviceSynchronize();\n"
        "    std::printf(\"%d %d\\n\", good[0], begin <= shared && shared <= macro && macro <= end);\n"
        "}\n");
    const Said run = in(folder, "run a.cu");
    EXPECT_EQ(run.out, "1 1\n") << run.err;
}

TEST(Run, RunsKernelsOfSeveralFilesWithMacrosAndFoldersOfHeaders) {
    const Folder folder;
    folder.write("include/scale.cuh", "__global__ void scale(int* data);\n");
    folder.write("scale.cu",
                 "#include \"scale.cuh\"\n__global__ void scale(int* data) { data[threadIdx.x] *= FACTOR; }\n");
    folder.write("main.cu",
                 "#include <cstdio>\n#include \"scale.cuh\"\n"
                 "int main() {\n"
                 "    int host[4] = {1, 2, 3, 4}, *data;\n"
                 "    cudaMalloc(&data, sizeof host);\n"
                 "    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);\n"
                 "    scale<<<1, 4>>>(data);\n"
                 "    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);\n"
                 "    std::printf(\"%d %d %d %d\\n\", host[0], host[1], host[2], host[3]);\n"
                 "}\n");
    const Said run = in(folder, "run main.cu scale.cu -I include -DFACTOR=10 -O3 -std=c++17 -arch=sm_90 -lm");
    EXPECT_EQ(run.out, "10 20 30 40\n") << run.err;
    EXPECT_EQ(run.status, 0);
}

/// Everything that the header for C has is called: each name must be the device's.
TEST(Run, LinksFilesInCThatCallTheRuntime) {
    const Folder folder;
    folder.write("add.cu",
                 "__global__ void add(int* x) { x[threadIdx.x] += 1; }\n"
                 "extern \"C\" void launch(int* x, cudaStream_t stream) { add<<<1, 64, 0, stream>>>(x); }\n");
    folder.write(
        "main.c",
        "#include <cuda_runtime.h>\n"
        "#include <stdio.h>\n"
        "#include <stdlib.h>\n"
        "#define DO(call) do { cudaError_t e = call; if (e != cudaSuccess) { fails++; printf(\"%s: %s\\n\", #call, "
        "cudaGetErrorString(e)); } } while (0)\n"
        "void launch(int* x, cudaStream_t stream);\n"
        "int main(void) {\n"
        "    int fails = 0, *x = malloc(64 * sizeof *x), *d, *pinned, *more, *managed, number;\n"
        "    size_t pitch, available, total;\n"
        "    float ms;\n"
        "    cudaStream_t stream, other;\n"
        "    cudaEvent_t start, end;\n"
        "    DO(cudaGetDeviceCount(&number)); DO(cudaSetDevice(0)); DO(cudaGetDevice(&number));\n"
        "    DO(cudaDriverGetVersion(&number)); DO(cudaRuntimeGetVersion(&number));\n"
        "    DO(cudaStreamCreate(&stream)); DO(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));\n"
        "    DO(cudaEventCreate(&start)); DO(cudaEventCreateWithFlags(&end, cudaEventDefault));\n"
        "    DO(cudaMalloc((void**)&d, 256)); DO(cudaMemset(d, 0, 256)); DO(cudaMemsetAsync(d, 0, 256, stream));\n"
        "    DO(cudaEventRecord(start, stream));\n"
        "    launch(d, stream);\n"
        "    DO(cudaEventRecord(end, stream)); DO(cudaStreamWaitEvent(other, end, 0)); DO(cudaEventSynchronize(end));\n"
        "    DO(cudaEventQuery(end)); DO(cudaEventElapsedTime(&ms, start, end));\n"
        "    DO(cudaStreamQuery(stream)); DO(cudaStreamSynchronize(stream)); DO(cudaDeviceSynchronize());\n"
        "    DO(cudaMemcpy(x, d, 128, cudaMemcpyDeviceToHost));\n"
        "    DO(cudaMemcpyAsync(x + 32, d + 32, 128, cudaMemcpyDeviceToHost, stream));\n"
        "    DO(cudaMemcpy2D(x, 128, d, 128, 128, 2, cudaMemcpyDeviceToHost));\n"
        "    DO(cudaMallocHost((void**)&pinned, 64)); DO(cudaFreeHost(pinned));\n"
        "    DO(cudaHostAlloc((void**)&pinned, 64, cudaHostAllocDefault)); DO(cudaFreeHost(pinned));\n"
        "    DO(cudaMallocManaged((void**)&managed, 64, cudaMemAttachGlobal)); DO(cudaFree(managed));\n"
        "    DO(cudaMallocPitch((void**)&more, &pitch, 10, 10)); DO(cudaFree(more));\n"
        "    DO(cudaHostRegister(x, 256, 0)); DO(cudaHostUnregister(x));\n"
        "    DO(cudaMemGetInfo(&available, &total)); DO(cudaFree(d)); DO(cudaPeekAtLastError());\n"
        "    DO(cudaEventDestroy(start)); DO(cudaEventDestroy(end));\n"
        "    DO(cudaStreamDestroy(stream)); DO(cudaStreamDestroy(other));\n"
        "    printf(\"%d %d %s\\n\", fails, x[0] + x[63], cudaGetErrorName(cudaFree(x)));\n"
        "    DO(cudaGetLastError());\n"
        "    DO(cudaDeviceReset());\n"
        "    free(x);\n"
        "    return fails;\n"
        "}\n");
    const Said run = in(folder, "run -std=c++17 main.c add.cu");
    EXPECT_EQ(run.out, "0 2 cudaErrorInvalidValue\ncudaGetLastError(): invalid argument\n") << run.err;
    EXPECT_EQ(run.status, 1);
    const Said checked = in(folder, "check add.cu main.c");
    EXPECT_TRUE(contains(checked.err, "invalid_free  main.c:33") &&
                contains(checked.err, "where no allocation of CUDA begins"))
        << checked.err;
}

/// A linker knows C's names: of what C code declares itself, or calls without any declaration.
TEST(Run, LinksFilesInCThatHaveNotIncludedTheRuntimesHeader) {
    const Folder folder;
    folder.write("add.cu",
                 "__global__ void add(int* x) { x[threadIdx.x] += 1; }\n"
                 "extern \"C\" void launch(int* x) { add<<<1, 64>>>(x); }\n");
    folder.write("main.c",
                 "#include <stdio.h>\n"
                 "void launch(int* x);\n"
                 "int cudaMalloc(void** pointer, unsigned long bytes);\n"
                 "int cudaMemset(void* pointer, int value, unsigned long bytes);\n"
                 "int cudaMemcpy(void* to, const void* from, unsigned long bytes, int kind);\n"
                 "const char* cudaGetErrorName(int error);\n"
                 "int main(void) {\n"
                 "    int *d, x[64];\n"
                 "    cudaMalloc((void**)&d, 256); cudaMemset(d, 0, 256); launch(d); cudaMemcpy(x, d, 256, 2);\n"
                 "    printf(\"%d %s\\n\", x[0] + x[63], cudaGetErrorName(cudaSetDevice(7)));\n"
                 "    return 0;\n"
                 "}\n");
    const Said run = in(folder, "run -Xcompiler=-w main.c add.cu");
    EXPECT_EQ(run.out, "2 cudaErrorInvalidDevice\n") << run.err;
}

TEST(Run, GivesFilesInCTheDevicesPropertiesAndTheLessCommonCalls) {
    const Folder folder;
    folder.write(
        "facts.c",
        "#include <cuda_runtime_api.h>\n"
        "#include <stdio.h>\n"
        "#include <string.h>\n"
        "#define DO(call) do { cudaError_t e = call; if (e != cudaSuccess) printf(\"%s: %s\\n\", #call, "
        "cudaGetErrorString(e)); } while (0)\n"
        "static int called = 0;\n"
        "static void add(void* data) { called += *(int*)data; }\n"
        "static void back(cudaStream_t stream, cudaError_t status, void* data) {\n"
        "    if (stream && status == cudaSuccess) called += *(int*)data;\n"
        "}\n"
        "int main(void) {\n"
        "    struct cudaDeviceProp p;\n"
        "    struct cudaPointerAttributes what;\n"
        "    cudaStream_t stream;\n"
        "    cudaEvent_t event;\n"
        "    int number, least, greatest, one = 1, ten = 10;\n"
        "    size_t limit;\n"
        "    unsigned char *d, *copy, *host, rows[2][8];\n"
        "    DO(cudaSetDeviceFlags(0)); DO(cudaGetDeviceProperties(&p, 0)); DO(cudaChooseDevice(&number, &p));\n"
        "    DO(cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, 0));\n"
        "    printf(\"%d.%d %d %d %d %s\\n\", p.major, p.minor, number == p.multiProcessorCount, p.warpSize,\n"
        "           p.maxThreadsPerBlock, strstr(p.name, \"T4\") ? \"T4\" : p.name);\n"
        "    DO(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24));\n"
        "    DO(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));\n"
        "    DO(cudaDeviceCanAccessPeer(&number, 0, 0)); DO(cudaDeviceGetStreamPriorityRange(&least, &greatest));\n"
        "    DO(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));\n"
        "    DO(cudaEventCreate(&event)); DO(cudaEventRecordWithFlags(event, stream, 0));\n"
        "    DO(cudaMallocAsync((void**)&d, 32, stream)); DO(cudaMalloc((void**)&copy, 32));\n"
        "    DO(cudaMemset2D(d, 16, 7, 8, 2)); DO(cudaMemcpyPeer(copy, 0, d, 0, 32));\n"
        "    DO(cudaMemcpy2DAsync(rows, 8, copy, 16, 8, 2, cudaMemcpyDeviceToHost, stream));\n"
        "    DO(cudaLaunchHostFunc(stream, add, &one)); DO(cudaStreamAddCallback(stream, back, &ten, 0));\n"
        "    DO(cudaHostAlloc((void**)&host, 16, cudaHostAllocMapped));\n"
        "    DO(cudaHostGetDevicePointer((void**)&d, host, 0)); DO(cudaPointerGetAttributes(&what, host));\n"
        "    DO(cudaStreamSynchronize(stream));\n"
        "    printf(\"%d %d %d %d %d %d\\n\", rows[0][0], rows[1][7], called, limit == 1 << 24,\n"
        "           what.type == cudaMemoryTypeHost, what.hostPointer == host);\n"
        "    return cudaErrorCooperativeLaunchTooLarge == 720 ? 0 : 1;\n"
        "}\n");
    const Said run = in(folder, "run facts.c --gpu t4");
    EXPECT_EQ(run.out, "7.5 1 32 1024 T4\n7 7 11 1 1 1\n") << run.err;
    EXPECT_EQ(run.status, 0) << run.err;
}

TEST(Run, StandsForTheGpuThatIsAskedFor) {
    const Folder folder;
    folder.write("name.cu",
                 "#include <cstdio>\n"
                 "int main() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); std::printf(\"%d\\n\", p.major); }\n");
    EXPECT_EQ(in(folder, "run name.cu").out, "9\n");
    EXPECT_EQ(in(folder, "run name.cu --gpu t4").out, "7\n");
}

TEST(Run, HasAsManyGpusAsAreAskedForEachWithItsOwnMemoryStreamsEventsAndVariables) {
    const Folder folder;
    folder.write("devices.cu", R"(
#include <cstdio>
__constant__ int factor;
__device__ int total;
__global__ void scale(int* data) { atomicAdd(&total, data[threadIdx.x] *= factor); }
void say(const char* what, cudaError_t error) {
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    cudaGetLastError();
}
int main() {
    int count = 0, can = 0, value = 0, host[4] = {1, 2, 3, 4}, *data[8];
    cudaStream_t streams[8];
    cudaEvent_t events[8];
    cudaGetDeviceCount(&count);
    for (int d = 0; d < count; ++d) {
        const int own = d + 2;
        cudaSetDevice(d);
        cudaMalloc(&data[d], sizeof host);
        cudaStreamCreate(&streams[d]);
        cudaEventCreate(&events[d]);
        cudaMemcpyToSymbol(factor, &own, sizeof own);
        cudaMemcpyToSymbol(total, &can, sizeof can);
        cudaMemcpy(data[d], host, sizeof host, cudaMemcpyHostToDevice);
    }
    for (int d = 0; d < count; ++d) {
        cudaSetDevice(d);
        scale<<<1, 4, 0, streams[d]>>>(data[d]);
        cudaEventRecord(events[d], streams[d]);
    }
    for (int d = 0; d < count; ++d) {
        cudaPointerAttributes memory;
        cudaSetDevice(d);
        cudaMemcpyFromSymbol(&value, total, sizeof value);
        cudaPointerGetAttributes(&memory, data[d]);
        std::printf("%d: %d, memory of %d\n", d, value, memory.device);
    }
    say("a device too many", cudaSetDevice(count));
    if (count == 1) return 0;
    cudaSetDevice(0);
    cudaDeviceCanAccessPeer(&can, 0, 1);
    std::printf("peers: %d\n", can);
    say("enabled", cudaDeviceEnablePeerAccess(1, 0));
    say("enabled again", cudaDeviceEnablePeerAccess(1, 0));
    cudaMemcpyPeer(data[0], 0, data[1], 1, sizeof host);
    cudaMemcpy(&value, data[0] + 3, sizeof value, cudaMemcpyDeviceToHost);
    std::printf("copied: %d\n", value);
    scale<<<1, 4, 0, streams[1]>>>(data[0]);
    say("another's stream", cudaGetLastError());
    say("another's event", cudaEventRecord(events[1], streams[0]));
    float milliseconds;
    say("between two", cudaEventElapsedTime(&milliseconds, events[0], events[1]));
    cudaSetDevice(1);
    cudaDeviceReset();
    say("the first's memory", cudaMemcpy(&value, data[0], sizeof value, cudaMemcpyDeviceToHost));
    say("the reset one's", cudaMemcpy(&value, data[1], sizeof value, cudaMemcpyDeviceToHost));
}
)");
    EXPECT_EQ(in(folder, "run devices.cu").out, "0: 20, memory of 0\na device too many: cudaErrorInvalidDevice\n");
    EXPECT_EQ(in(folder, "run devices.cu --devices 2").out,
              "0: 20, memory of 0\n1: 30, memory of 1\n"
              "a device too many: cudaErrorInvalidDevice\npeers: 1\nenabled: cudaSuccess\n"
              "enabled again: cudaErrorPeerAccessAlreadyEnabled\ncopied: 12\n"
              "another's stream: cudaErrorInvalidResourceHandle\nanother's event: cudaErrorInvalidResourceHandle\n"
              "between two: cudaErrorInvalidResourceHandle\nthe first's memory: cudaSuccess\n"
              "the reset one's: cudaErrorInvalidValue\n");
    EXPECT_EQ(in(folder, "run devices.cu --devices 65").status, 2);
}

TEST(Run, GivesFreshMemoryAsZeros) {
    const Folder folder;
    folder.write("fresh.cu",
                 "#include <cstdio>\n"
                 "int main() {\n"
                 "    int sum = 0, host[1000], *data;\n"
                 "    for (int round = 0; round < 10; ++round) {\n"
                 "        cudaMalloc(&data, sizeof host);\n"
                 "        cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);\n"
                 "        for (int value : host) sum |= value;\n"
                 "        cudaMemset(data, 255, sizeof host);\n"
                 "        cudaFree(data);\n"
                 "    }\n"
                 "    std::printf(\"%d\\n\", sum);\n"
                 "}\n");
    EXPECT_EQ(in(folder, "run fresh.cu").out, "0\n");
}

TEST(Run, AKernelThatWritesBehindItsArrayHarmsNothingOfTheHosts) {
    const Folder folder;
    folder.write("behind.cu",
                 "#include <cstdio>\n"
                 "#include <cstdlib>\n"
                 "__global__ void fill(int* data) { data[blockIdx.x * blockDim.x + threadIdx.x] = -1; }\n"
                 "int main() {\n"
                 "    for (int n : {25, 2500, 250000}) {\n"
                 "        int* data[8];\n"
                 "        void* host[8];\n"
                 "        for (int i = 0; i < 8; ++i) {\n"
                 "            cudaMalloc(&data[i], n * sizeof(int));\n"
                 "            host[i] = std::malloc(n * sizeof(int));\n"
                 "        }\n"
                 "        fill<<<n / 256 + 16, 256>>>(data[3]);\n"
                 "        std::printf(\"%s \", cudaGetErrorName(cudaDeviceSynchronize()));\n"
                 "        for (int i = 0; i < 8; ++i) std::free(host[i]), cudaFree(data[i]);\n"
                 "    }\n"
                 "}\n");
    const Said run = in(folder, "run behind.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "cudaSuccess cudaSuccess cudaSuccess ");
}

TEST(Run, ReusesLargeMemoryThatIsFreedAsZerosAndKeepsNoMoreThanAGigabyte) {
    const Folder folder;
    folder.write("large.cu",
                 "#include <cstdio>\n"
                 "#include <unistd.h>\n"
                 "__global__ void any(const int* data, int n, int* sum) {\n"
                 "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n"
                 "        if (data[i] != 0) *sum = 1;\n"
                 "}\n"
                 "int main() {\n"
                 "    const int n = 9 << 20;\n"
                 "    int *data, *sum, same = 0;\n"
                 "    void* before = nullptr;\n"
                 "    cudaMallocManaged(&sum, sizeof(int));\n"
                 "    for (int round = 0; round < 4; ++round) {\n"
                 "        cudaMalloc(&data, n * sizeof(int));\n"
                 "        same += data == before;\n"
                 "        before = data;\n"
                 "        any<<<64, 256>>>(data, n, sum);\n"
                 "        cudaMemset(data, 255, n * sizeof(int));\n"
                 "        cudaFree(data);\n"
                 "    }\n"
                 "    for (size_t mib = 64; mib < 84; ++mib) {\n"
                 "        cudaMalloc(&data, mib << 20);\n"
                 "        cudaMemset(data, 1, mib << 20);\n"
                 "        cudaFree(data);\n"
                 "    }\n"
                 "    long pages = 0, resident = 0;\n"
                 "    std::FILE* const file = std::fopen(\"/proc/self/statm\", \"r\");\n"
                 "    if (!file || std::fscanf(file, \"%ld %ld\", &pages, &resident) != 2) return 1;\n"
                 "    std::printf(\"%d %d %d\\n\", *sum, same, resident * sysconf(_SC_PAGESIZE) <= 1150l << 20);\n"
                 "}\n");
    EXPECT_EQ(in(folder, "run large.cu").out, "0 3 1\n");
}

TEST(Run, LetsThreadsWaitForEachOtherThroughMemory) {
    const Folder folder;
    folder.write("waits.cu",
                 "#include <cstdio>\n"
                 "__device__ volatile int flag;\n"
                 "__device__ int lock;\n"
                 "__global__ void in_block(int* out) {\n"
                 "    if (threadIdx.x == 0) { while (flag == 0) ; out[0] = 7; }\n"
                 "    if (threadIdx.x == blockDim.x - 1) flag = 1;\n"
                 "}\n"
                 "__global__ void in_grid(volatile int* arrived, int* out) {\n"
                 "    if (threadIdx.x == 0) { atomicAdd((int*)arrived, 1); while (*arrived < gridDim.x) ; }\n"
                 "    __syncthreads();\n"
                 "    if (threadIdx.x == 0) out[blockIdx.x] = *arrived;\n"
                 "}\n"
                 "__global__ void locked(int* sum) {\n"
                 "    while (atomicCAS(&lock, 0, 1) != 0) ;\n"
                 "    sum[0] = sum[0] + 1;\n"
                 "    __threadfence();\n"
                 "    atomicExch(&lock, 0);\n"
                 "}\n"
                 "int main() {\n"
                 "    int *data, host[20];\n"
                 "    cudaMalloc(&data, 4096);\n"
                 "    in_block<<<1, 64>>>(data);\n"
                 "    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);\n"
                 "    std::printf(\"%d\", host[0]);\n"
                 "    cudaMemset(data, 0, 4096);\n"
                 "    in_grid<<<20, 32>>>(data, data + 64);\n"
                 "    cudaMemcpy(host, data + 64, sizeof host, cudaMemcpyDeviceToHost);\n"
                 "    std::printf(\" %d %d\", host[0], host[19]);\n"
                 "    cudaMemset(data, 0, 4096);\n"
                 "    locked<<<4, 64>>>(data);\n"
                 "    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);\n"
                 "    std::printf(\" %d\\n\", host[0]);\n"
                 "}\n");
    EXPECT_EQ(in(folder, "run waits.cu").out, "7 20 20 256\n");
}

TEST(Run, ThreadsThatLeftAreNotWaitedForAsOnAGpu) {
    const Folder folder;
    folder.write("left.cu", program_with("__global__ void kernel(int* data) {\n"
                                         "    __shared__ int part[64];\n"
                                         "    part[threadIdx.x] = threadIdx.x;\n"
                                         "    if (threadIdx.x >= 50) return;\n"
                                         "    __syncthreads();\n"
                                         "    data[threadIdx.x] = part[49 - threadIdx.x];\n"
                                         "}",
                                         "kernel<<<3, 64>>>(data);"));
    EXPECT_EQ(in(folder, "run left.cu").out, "cudaSuccess\n");
    EXPECT_EQ(in(folder, "check left.cu").status, 1);
}

// CUDA waits for the lanes of a mask that have not left; what is read of one that has is undefined.
TEST(Run, ShufflesWaitForNoLaneThatHasLeft) {
    const Folder folder;
    folder.write("a.cu", program_with("__device__ int sum(int x) {\n"
                                      "    for (int d = 4; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d, 8);\n"
                                      "    return x;\n"
                                      "}\n"
                                      "__global__ void kernel(int* data) {\n"
                                      "    __shared__ int parts[8];\n"
                                      "    if (threadIdx.x < 8) parts[threadIdx.x] = threadIdx.x;\n"
                                      "    __syncthreads();\n"
                                      "    if (threadIdx.x < 8) {\n"
                                      "        const int all = sum(parts[threadIdx.x]);\n"
                                      "        if (threadIdx.x == 0 && all != 28) __trap();\n"
                                      "    }\n"
                                      "}",
                                      "kernel<<<1, 32>>>(data);"));
    EXPECT_EQ(in(folder, "run a.cu").out, "cudaSuccess\n");
    EXPECT_EQ(shell("cd '" + folder.string() + "'; LANEWORK_SIMT_LOOPS=0 lanework run a.cu").out, "cudaSuccess\n");
    const Said checked = in(folder, "check -lm a.cu");
    EXPECT_EQ(checked.status, 1);
    EXPECT_TRUE(contains(checked.err + checked.out, "has left the kernel")) << checked.err << checked.out;
    EXPECT_TRUE(contains(checked.err + checked.out, "a.cu: 1 finding")) << "a library is not the program";
}

TEST(Run, SaysThatNvccCompiles) {
    const Folder folder;
    folder.write("a.cu", program_with("#ifndef __NVCC__\n#error not nvcc\n#endif\n"
                                      "__global__ void kernel(int*) {}",
                                      "kernel<<<1, 1>>>(data);"));
    EXPECT_EQ(in(folder, "run a.cu").out, "cudaSuccess\n");
}

TEST(Run, HasStacksForLargeParametersAndForWhatIsAskedFor) {
    const Folder folder;
    folder.write("large.cu",
                 "#include <cstdio>\n"
                 "struct Large { int values[8000]; };\n"
                 "__global__ void copy(Large large, int* out) { out[0] = large.values[7999]; }\n"
                 "__device__ int deep(int n) {\n"
                 "    volatile int pad[64];\n"
                 "    pad[n % 64] = n;\n"
                 "    return n == 0 ? 0 : deep(n - 1) + pad[n % 64] / n;\n"
                 "}\n"
                 "__global__ void recurse(int* out, int n) { out[0] = deep(n); }\n"
                 "int main() {\n"
                 "    static Large large;\n"
                 "    large.values[7999] = 5;\n"
                 "    int *data, host;\n"
                 "    cudaMalloc(&data, 4);\n"
                 "    copy<<<1, 1>>>(large, data);\n"
                 "    cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost);\n"
                 "    std::printf(\"%d\", host);\n"
                 "    cudaDeviceSetLimit(cudaLimitStackSize, 4 << 20);\n"
                 "    recurse<<<1, 1>>>(data, 20000);\n"
                 "    cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost);\n"
                 "    std::printf(\" %d\", host);\n"
                 "    recurse<<<1, 1>>>(data, 1000000);\n"
                 "    std::printf(\" %s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));\n"
                 "}\n");
    EXPECT_EQ(in(folder, "run large.cu").out, "5 20000 cudaErrorIllegalAddress\n");
}

TEST(Run, NamesTheThreadTheLineAndTheAddressOfACrash) {
    const Folder folder;
    folder.write("crash.cu", program_with("__global__ void kernel(int* data) {\n"
                                          "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                          "    data[i == 300 ? 1 << 30 : i % 64] = i;\n"
                                          "}",
                                          "kernel<<<4, 128>>>(data);"));
    const Said run = in(folder, "run crash.cu");
    EXPECT_EQ(run.out, "cudaErrorIllegalAddress\n");
    EXPECT_TRUE(contains(run.err, "crash.cu:4: kernel: thread (44,0,0) of block (2,0,0) accessed 0x")) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 2) << run.err;
}

/// Kernels that ask for their place in the grid alone are loops over the threads of several blocks.
TEST(Run, GivesEachThreadItsPlaceWhereOneLoopTakesSeveralBlocks) {
    const Folder folder;
    folder.write("rows.cu", R"(#include <cstdio>
#include <vector>
__global__ void place(unsigned* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = threadIdx.y + blockIdx.y * blockDim.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x > 0 && x < width - 1 && y < height) out[(z * height + y) * width + x] += 1 + x + 1000 * y + 100000 * z;
}
__global__ void edges(unsigned* out, unsigned n) {
    const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n || i % 3 == 1) return;
    out[i] += i + blockDim.x * gridDim.x;
}
__global__ void steps(unsigned* out, size_t n) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] += 7 * i;
}
__global__ void own_block(unsigned* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += blockIdx.x << 16 | threadIdx.x;
}
int main() {
    const int width = 1237, height = 9, depth = 3, n = width * height * depth;
    unsigned* out;
    cudaMallocManaged(&out, n * sizeof(unsigned));
    std::vector<unsigned> expected(n);
    for (const dim3 block : {dim3(16, 4, 1), dim3(7, 3, 2), dim3(256, 1, 3), dim3(1, 2, 1)}) {
        const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y, depth / block.z + 1);
        place<<<dim3(grid.x, grid.y, depth / block.z), block>>>(out, width, height);
        for (unsigned z = 0; z < depth / block.z * block.z; ++z)
            for (int y = 0; y < height; ++y)
                for (int x = 1; x < width - 1; ++x)
                    expected[(z * height + y) * width + x] += 1 + x + 1000 * y + 100000 * z;
    }
    edges<<<67, 501>>>(out, n);
    steps<<<5, 96>>>(out, n);
    own_block<<<(n + 99) / 100, 100>>>(out, n);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        if (i < 67 * 501 && i % 3 != 1) expected[i] += i + 67 * 501;
        expected[i] += 7 * i + (i / 100 << 16 | i % 100);
        wrong += out[i] != expected[i];
    }
    std::printf("%d wrong\n", wrong);
}
)");
    EXPECT_EQ(in(folder, "run rows.cu").out, "0 wrong\n");
    EXPECT_EQ(in(folder, "run -O0 rows.cu").out, "0 wrong\n");
}

/// Threads that stride through the grid run round by round, and those that take part run together.
TEST(Run, GivesEachThreadItsRoundsWhereTheyComeBeforeTheNextOnes) {
    const Folder folder;
    folder.write("rounds.cu", R"(#include <cstdio>
#include <vector>
__global__ void steps(unsigned* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (i % 5 == 2) continue;
        for (int k = 0; k < 3; ++k) {
            if (k == 2) break;
            out[i] += i + k;
        }
    }
}
__global__ void climbs(unsigned* out, size_t n) {
    size_t i = threadIdx.x + blockDim.x * (size_t)blockIdx.x;
    const size_t width = blockDim.x * gridDim.x;
    while (i < n) {
        out[i] = out[i] * 3 + i;
        i += width;
    }
}
__global__ void rows(unsigned* out, unsigned width, int height) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    if (x > 0) out[y * width + x] += x + 1000 * y;
}
/// The places in the grid pass the largest int.
__global__ void far(unsigned long long* sum, size_t n) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        if ((i & 0x3fffffff) == 5) atomicAdd(sum, (unsigned long long)i);
}
int main(int arguments, char**) {
    const unsigned n = 100003, width = 1237, height = 9;
    unsigned* out;
    unsigned long long* sum;
    cudaMallocManaged(&out, n * sizeof(unsigned));
    cudaMallocManaged(&sum, sizeof *sum);
    std::vector<unsigned> expected(n);
    for (const dim3 shape : {dim3(1, 1), dim3(3, 96), dim3(70, 64), dim3(200, 501), dim3(2000, 32)}) {
        steps<<<shape.x, shape.y>>>(out, n);
        climbs<<<shape.x, shape.y>>>(out, n);
        steps<<<shape.x, shape.y>>>(out, -1);
        for (unsigned i = 0; i < n; ++i) {
            if (i % 5 != 2) expected[i] += 2 * i + 1;
            expected[i] = expected[i] * 3 + i;
        }
    }
    for (const dim3 block : {dim3(16, 4), dim3(7, 3), dim3(256), dim3(1, 2)}) {
        rows<<<dim3(width / block.x + 2, height / block.y + 1), block>>>(out, width, height);
        for (unsigned y = 0; y < height; ++y)
            for (unsigned x = 1; x < width; ++x) expected[y * width + x] += x + 1000 * y;
    }
    const size_t many = 2200000000;
    if (arguments > 1) far<<<1 << 20, 1000>>>(sum, many);
    cudaDeviceSynchronize();
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; ++i) wrong += out[i] != expected[i];
    unsigned long long far_sum = 0;
    if (arguments > 1)
        for (size_t i = 5; i < many; i += 0x40000000) far_sum += i;
    std::printf("%u wrong", wrong);
    if (arguments > 1) std::printf(", far %d", *sum == far_sum);
}
)");
    // Two thousand million rounds are seconds: once, on all threads.
    EXPECT_EQ(in(folder, "run rounds.cu -- far").out, "0 wrong, far 1");
    EXPECT_EQ(shell("cd '" + folder.string() + "'\nLANEWORK_SIMT_THREADS=1 lanework run rounds.cu").out, "0 wrong");
}

/// With and without other OS threads, and where the one is tried against the other.
TEST(Run, CountsEachAtomicOperationOfALoopOnce) {
    const Folder folder;
    folder.write("atomics.cu", R"(#include <cstdio>
#include <vector>
__global__ void count(const unsigned char* in, unsigned* bins, float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&bins[in[i]], 1u);
    atomicAdd(sum, 1.0f);
    atomicMax(&bins[256], (unsigned)i);
    atomicCAS(&bins[257], 0u, 7u);
    atomicSub(&bins[258], 1u);
}
__global__ void gather(const unsigned char* in, int* at, int* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        if (in[i] < 10) out[atomicAdd(at, 1)] = i;
}
int main() {
    const int n = 1000000;
    unsigned char* in;
    unsigned* bins;
    float* sum;
    int *at, *out;
    cudaMallocManaged(&in, n);
    cudaMallocManaged(&bins, 259 * sizeof(unsigned));
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMallocManaged(&at, sizeof *at);
    cudaMallocManaged(&out, n * sizeof *out);
    std::vector<unsigned> expected(256);
    for (int i = 0; i < n; ++i) ++expected[in[i] = i * 2654435761u >> 24];
    count<<<(n + 255) / 256, 256>>>(in, bins, sum, n);
    gather<<<200, 128>>>(in, at, out, n);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < 256; ++i) wrong += bins[i] != expected[i];
    std::vector<bool> seen(n);
    for (int k = 0; k < *at; ++k) wrong += in[out[k]] >= 10 || seen[out[k]], seen[out[k]] = true;
    int few = 0;
    for (int i = 0; i < n; ++i) few += in[i] < 10;
    std::printf("%d wrong, %d, %.0f %u %u %d\n", wrong, *at == few, *sum, bins[256], bins[257], (int)bins[258]);
}
)");
    const std::string right = "0 wrong, 1, 1000000 999999 7 -1000000\n";
    for (const char* threads : {"1", "2", "5"})
        EXPECT_EQ(
            shell("cd '" + folder.string() + "'\nLANEWORK_SIMT_THREADS=" + threads + " lanework run atomics.cu").out,
            right);
    EXPECT_EQ(in(folder, "run -O0 atomics.cu").out, right);
}

/// Every digit of a kernel's elementary functions is the same, however it is run; the host keeps the C library's.
TEST(Run, HasTheSameFloatFunctionsWhereThreadsAreWatched) {
    const Folder folder;
    folder.write("functions.cu", R"(#include <cmath>
#include <cstdio>
#define SQUARED_EXP(x) expf((x) * (x))
__host__ __device__ float both(float x) { return logf(x + 1.0f) + tanhf(x); }
struct Own { float x; __host__ __device__ float sinf(float y) { return x + y; } };
__global__ void functions(float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float x = 0.37f * i;
    float s, c;
    sincosf(x, &s, &c);
    Own own{1};
    out[i] = sinf(x) + 3 * cosf(x) + tanf(x) + __expf(-x) + expf(0.1f * x) + logf(1 + x) + powf(x, 1.3f) + tanhf(x) + s * c +
             SQUARED_EXP(0.1f * x) + both(x) + own.sinf(x) + atan2f(x, 2) + __sinf(x) + exp2f(-x) + log10f(x + 2);
}
int main() {
    const int n = 100;
    float* out;
    cudaMallocManaged(&out, n * sizeof *out);
    functions<<<4, 32>>>(out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) printf("%a\n", out[i]);
    printf("%d\n", SQUARED_EXP(0.3f) == std::exp(0.3f * 0.3f));
}
)");
    const std::string run = in(folder, "run functions.cu").out;
    EXPECT_EQ(std::count(run.begin(), run.end(), '\n'), 101) << run;
    EXPECT_TRUE(contains(run, "\n1\n"));
    EXPECT_EQ(in(folder, "run -O0 functions.cu").out, run);
    EXPECT_EQ(shell("cd '" + folder.string() + "'\nLANEWORK_SIMT_LOOPS=0 lanework run functions.cu").out, run);
    EXPECT_EQ(in(folder, "check functions.cu").out.substr(0, run.size()), run);
}

TEST(Run, NamesTheThreadOfACrashWhereOneLoopTakesSeveralBlocks) {
    const Folder folder;
    folder.write("crash.cu", R"(__global__ void kernel(int* data, int** far) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i % 64] = 1;
    if (i == 3 * 16 + 5) **far = 1;
}
int main() {
    int* data;
    int** far;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&far, sizeof(int*));
    kernel<<<50000, 16>>>(data, far);
    cudaDeviceSynchronize();
}
)");
    const Said run = in(folder, "run crash.cu");
    EXPECT_TRUE(contains(run.err, "crash.cu:4: kernel: thread (5,0,0) of block (3,0,0) accessed 0x")) << run.err;
}

TEST(Run, CountsClockTicksOfTheGpuItStandsFor) {
    const Folder folder;
    folder.write("clock.cu", program_with("__global__ void kernel(int* data) {\n"
                                          "    const clock_t begin = clock();\n"
                                          "    const long long from = clock64();\n"
                                          "    while (clock64() - from < 10000000) ;\n"
                                          "    data[0] = clock() - begin >= 10000000;\n"
                                          "}",
                                          "kernel<<<1, 1>>>(data);\n"
                                          "    int enough; cudaMemcpy(&enough, data, 4, cudaMemcpyDeviceToHost);\n"
                                          "    std::printf(\"%d \", enough);"));
    EXPECT_EQ(in(folder, "run clock.cu").out, "1 cudaSuccess\n");
}

TEST(Run, TakesASymbolByItsAddress) {
    const Folder folder;
    folder.write("a.cu",
                 "#include <cstdio>\n__device__ int counts[4];\n__device__ int* list;\n"
                 "__global__ void kernel() { list[0] = ++counts[2]; }\n"
                 "int main() {\n"
                 "    int two = 2, one = 0, *data;\n"
                 "    cudaMalloc(&data, 4);\n"
                 "    cudaMemcpyToSymbol(list, &data, sizeof data);  // the pointer itself\n"
                 "    cudaMemcpyToSymbol((const void*)counts, &two, 4, 8);\n"
                 "    kernel<<<1, 1>>>();\n"
                 "    cudaMemcpyFromSymbol(&two, (const void*)&counts, 4, 8);\n"
                 "    cudaMemcpy(&one, data, 4, cudaMemcpyDeviceToHost);\n"
                 "    std::printf(\"%d %d\\n\", two, one);\n}\n");
    EXPECT_EQ(in(folder, "run a.cu").out, "3 3\n");
}

// A file that is written whole replaces what was there: for root, a replaced /dev/null is everybody's.
/// Constant and managed variables lie in sections, which a compiler takes for variables of one kind alone.
TEST(Run, TakesConstantAndManagedVariablesOfEveryKindTogether) {
    const Folder folder;
    folder.write("a.cu", R"(
#include <cstdio>
__constant__ int plain[2] = {1, 2};
__constant__ const int fixed = 3;
inline __constant__ int of_headers = 4;
inline __constant__ const int fixed_of_headers = 5;
template <int N>
__constant__ int made = N;
static __constant__ int own = 7;
static inline __constant__ int own_of_headers = 8;
#define FIXED __constant__
inline FIXED const int fixed_by_macro = 9;
struct Table {
    static constexpr __constant__ int t[3] = {1, 2, 3};
};
__managed__ int sum;
static __managed__ int own_sum = 10;
inline __managed__ int sum_of_headers = 20;
template <class T>
__managed__ T made_sum = 30;
#define MANAGED __managed__
inline MANAGED int by_macro = 1;
MANAGED int own_by_macro;
__managed__ unsigned char large[256 << 20];
__global__ void add() {
    sum = plain[0] + plain[1] + fixed + of_headers + fixed_of_headers + made<6> + own;
    own_sum += sum;
    sum_of_headers += sum;
    made_sum<int> += sum;
    own_by_macro = own_of_headers + fixed_by_macro + Table::t[threadIdx.x + 2];
    by_macro += own_by_macro;
    large[5] = 6;
}
int main() {
    const int value = 40;
    cudaMemcpyToSymbol(of_headers, &value, sizeof value);
    add<<<1, 1>>>();
    cudaDeviceSynchronize();
    std::printf("%d %d %d %d\n", sum, own_sum, sum_of_headers, made_sum<int>);
    std::printf("%d %d %d %d\n", own_by_macro, by_macro, large[5], large[sizeof large - 1]);
}
)");
    const Said run = in(folder, "run a.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "64 74 84 94\n20 21 6 0\n");
    const Said check = in(folder, "check a.cu");
    EXPECT_EQ(check.status, 0) << check.out << check.err;
}

TEST(Cc, WritesToAPipeAndLeavesItOne) {
    const Folder folder;
    folder.write("a.cu", program_with(kClean));
    for (const std::string object : {"", "-c "}) {
        const Said read =
            shell("cd '" + folder.string() + "'; mkfifo out.pipe; cat out.pipe > got & lanework cc " + object +
                  "a.cu -o out.pipe; wait; test -p out.pipe && head -c 4 got | tail -c 3; rm out.pipe");
        EXPECT_EQ(read.out, "ELF") << read.err;
    }
}

TEST(Run, DividesTheWorkAmongThreads) {
    const Folder folder;
    folder.write("a.cu", program_with(kClean));
    EXPECT_EQ(in(folder, "run a.cu --threads 1").out, "cudaSuccess\n");
}

TEST(Run, NamesThreadAndBlockOfACrash) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) { if (threadIdx.x == 3) *(int*)8 = 1; }",
                                      "kernel<<<1, 32>>>(data);"));
    EXPECT_EQ(in(folder, "run a.cu").out, "cudaErrorIllegalAddress\n");
}

}  // namespace
}  // namespace lanework
