// Threads that wait in loops for what nobody will write are named, and those whose wait ends are not.
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

/// Each waits in line 3; `word` is device memory that holds zero.
struct Wait {
    const char *name, *kernel, *launch, *reads;
};
const Wait kWaits[] = {
    {"a volatile variable",
     "__device__ volatile int flag; __global__ void kernel(int* word) {\n    while (flag == 0) { }\n}",
     "kernel<<<2, 1>>>(data);", "it reads `flag` again and again"},
    {"a volatile variable, by whole warps",
     "__device__ volatile int flag; __global__ void kernel(int* word) {\n    while (flag == 0) { }\n}",
     "kernel<<<2, 64>>>(data);", "it reads `flag` again and again"},
    {"a lock", "__global__ void kernel(int* word) {\n    while (atomicCAS(word + 3, 0, 1) != 0) { }\n}",
     "kernel<<<3, 40>>>(data);", "it reads byte 12 of 256 of device memory"},
    {"an addition of nothing", "__global__ void kernel(int* word) {\n    while (atomicAdd(word, 0) == 0) { }\n}",
     "kernel<<<1, 1>>>(data);", "it reads the start of 256 bytes of device memory"},
    {"a scoped load in shared memory",
     "__global__ void kernel(int* word) { __shared__ int ready; ready = 0; __syncthreads();\n"
     "    while (threadIdx.x == 5 && __nv_atomic_load_n(&ready, __NV_ATOMIC_ACQUIRE) == 0) { }\n}",
     "kernel<<<1, 32>>>(data);", "it reads byte 0 of the block's shared memory"},
    {"more blocks than are resident",
     "__device__ int arrived; __global__ void kernel(int*) { if (threadIdx.x == 0) atomicAdd(&arrived, 1);\n"
     "    while (atomicAdd(&arrived, 0) < gridDim.x) { }\n}",
     "kernel<<<1000, 32>>>(data);", "blocks have not begun, since no more are resident at once"},
    {"memory of the host, which the launch keeps from writing",
     "__global__ void kernel(volatile int* word) {\n    while (*word == 0) { }\n}",
     "int* word; cudaMallocHost(&word, 4); *word = 0; kernel<<<1, 1>>>(word); *word = 1;",
     "the host, neither: the launch returns when the kernel has ended"},
};

TEST(EndlessWait, IsNamedWithItsLineAndWhatIsRead) {
    for (const Wait& wait : kWaits) {
        const Folder folder;
        folder.write("a.cu", program_with(wait.kernel, wait.launch));
        // A T4 holds 640 blocks at once.
        const Said said = in(folder, "run a.cu --gpu t4");
        EXPECT_EQ(said.out, "cudaErrorLaunchTimeout\n") << wait.name;
        EXPECT_TRUE(contains(said.err, "a.cu:3: kernel: thread (")) << wait.name << ": " << said.err;
        EXPECT_TRUE(contains(said.err, "waits for ever") && contains(said.err, wait.reads))
            << wait.name << ": " << said.err;
    }
}

TEST(EndlessWait, IsNamedWhereTheLoopOnlyReadsPlainMemory) {
    const Folder folder;
    folder.write("a.cu",
                 program_with("__global__ void kernel(int* word) {\n    __syncthreads(); if (threadIdx.x == 0)\n"
                              "    while (word[1] == 0) __threadfence();\n    __syncthreads();\n}",
                              "kernel<<<1, 32>>>(data);"));
    const Said said = in(folder, "run a.cu");
    EXPECT_EQ(said.out, "cudaErrorLaunchTimeout\n");
    EXPECT_TRUE(contains(said.err, "kernel: thread (0,0,0) of block (0,0,0) waits for ever")) << said.err;
}

TEST(EndlessWait, IsAFindingOfCheckUnderEverySchedule) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* word) {\n    if (threadIdx.x % 8 == 3) {\n"
                                      "        while (atomicCAS(word, 0, 1) != 0) { }\n    }\n}",
                                      "kernel<<<2, 64>>>(data);"));
    for (const char* const words : {"check a.cu", "check a.cu --schedule 7"}) {
        const Said said = in(folder, words);
        EXPECT_EQ(said.status, 1) << words << said.err;
        EXPECT_TRUE(contains(said.err, "endless_wait") && contains(said.err, "a.cu:4")) << words << ": " << said.err;
    }
}

TEST(EndlessWait, IsNoneWhereAnotherThreadWorksForLong) {
    const Folder folder;
    // The first thread computes for some seconds without a word to anybody, the next holds a lock time and again.
    folder.write(
        "a.cu",
        program_with(
            "__global__ void kernel(int* word) {\n"
            "    volatile int* const seen = word;\n"
            "    if (threadIdx.x == 0) {\n"
            "        unsigned x = 1;\n"
            "        for (long i = 0; i < 1000000000; ++i) x = x * 1664525u + (x >> 7);\n"
            "        word[8] = x; __threadfence(); *seen = 1;\n"
            "    } else if (threadIdx.x == 1) {\n"
            "        while (*seen == 0) { while (atomicCAS(word + 1, 0, 1) != 0) { } atomicExch(word + 1, 0); }\n"
            "    } else {\n"
            "        while (*seen == 0) { }\n"
            "    }\n"
            "}",
            "kernel<<<1, 3>>>(data);"));
    EXPECT_EQ(in(folder, "run a.cu").out, "cudaSuccess\n");
}

TEST(EndlessWait, IsNoneWhereOnlyMemoryGoesOn) {
    const Folder folder;
    // Registers and stack are the same in every round.
    folder.write("a.cu", program_with("__global__ void kernel(int* word) {\n"
                                      "    while (atomicAdd(word, 1) < 250000000) { }\n}",
                                      "kernel<<<1, 1>>>(data);"));
    EXPECT_EQ(in(folder, "run a.cu").out, "cudaSuccess\n");
}

TEST(EndlessWait, IsNoneWhereAnotherThreadOfTheHostWrites) {
    const Folder folder;
    folder.write("a.cu",
                 "#include <chrono>\n#include <thread>\n" +
                     program_with("__global__ void kernel(volatile int* word) {\n    while (*word == 0) { }\n}",
                                  "int* word; cudaMallocHost(&word, 4); *word = 0;\n"
                                  "    std::thread later([=] { std::this_thread::sleep_for(std::chrono::seconds(4));\n"
                                  "        *(volatile int*)word = 1; });\n"
                                  "    kernel<<<1, 1>>>(word); later.join();"));
    const Said said = in(folder, "run a.cu");
    EXPECT_EQ(said.out, "cudaSuccess\n") << said.err;
}

TEST(EndlessWait, IsSaidToBePossibleWhereItCannotBeProven) {
    const Folder folder;
    // It ends after seven seconds by the clock, which no look at memory foresees.
    folder.write("a.cu", program_with("__global__ void kernel(int* word) {\n    const long long begin = clock64();\n"
                                      "    while (atomicAdd(word, 0) == 0 && clock64() - begin < TICKS) { }\n}",
                                      "cudaDeviceProp gpu; cudaGetDeviceProperties(&gpu, 0); kernel<<<1, 1>>>(data);"));
    const Said said = in(folder, "run a.cu --gpu h200 -D TICKS=7*1980000000LL");
    EXPECT_EQ(said.out, "cudaSuccess\n") << said.err;
    EXPECT_TRUE(contains(said.err, "a.cu:4: kernel: no thread has begun or ended for") &&
                contains(said.err, "thread (0,0,0) of block (0,0,0) may wait for ever"))
        << said.err;
}

TEST(EndlessWait, IsProvenWhenItWasSaidToBePossibleBefore) {
    const Folder folder;
    // Six seconds by the clock, which prove nothing, and then a wait that does not end.
    folder.write("a.cu", program_with("__global__ void kernel(int* word) {\n    const long long begin = clock64();\n"
                                      "    while (atomicAdd(word, 0) == 0 && clock64() - begin < TICKS) { }\n"
                                      "    while (atomicAdd(word, 0) == 0) { }\n}",
                                      "cudaDeviceProp gpu; cudaGetDeviceProperties(&gpu, 0); kernel<<<1, 1>>>(data);"));
    const Said said = in(folder, "run a.cu --gpu h200 -D TICKS=6*1980000000LL");
    EXPECT_EQ(said.out, "cudaErrorLaunchTimeout\n") << said.err;
    EXPECT_TRUE(contains(said.err, "may wait for ever") && contains(said.err, "a.cu:5: kernel: thread")) << said.err;
}

TEST(Interrupt, NamesTheKernelTheThreadAndTheLine) {
    const Folder folder;
    folder.write("a.cu",
                 program_with("__global__ void kernel(unsigned* word) {\n    unsigned x = threadIdx.x;\n"
                              "    for (long i = 0; i < 1000000000000; ++i) x = x * 1664525u + (x >> 7);\n"
                              "    *word = x;\n}",
                              "std::printf(\"begun\\n\"); std::fflush(stdout); kernel<<<1, 1>>>((unsigned*)data);"));
    const Said built = in(folder, "cc a.cu -o a");
    ASSERT_EQ(built.status, 0) << built.err;
    // The kernel has run for a second, however busy the machine is. What a shell runs beside it ignores Ctrl-C.
    const Said said =
        shell("cd '" + folder.string() +
              "'\nulimit -t 100\nLANEWORK_SIMT_LOOPS=0 env --default-signal=INT ./a > out & them=$!\n"
              "until grep -q begun out 2>/dev/null; do sleep 0.1; done\nsleep 1\nkill -INT $them\nwait $them");
    EXPECT_TRUE(contains(said.err, "a.cu:4: interrupted in kernel, launched at ") &&
                contains(said.err, "in block (0,0,0), thread (0,0,0)"))
        << said.err;
}

}  // namespace
}  // namespace lanework
