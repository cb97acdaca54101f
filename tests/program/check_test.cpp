// `lanework check`: what is wrong with a program, with kernel, block, thread, line and remedy.
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

void expect_finding(const std::string& kernel, const std::string& launch, std::initializer_list<std::string> parts) {
    const Folder folder;
    folder.write("a.cu", program_with(kernel, launch));
    const Said run = in(folder, "check a.cu -- 0");
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_EQ(run.out.substr(0, 4), "cuda") << run.out;
    for (const std::string& part : parts) EXPECT_TRUE(contains(run.err, part)) << part << " in\n" << run.err;
}

TEST(Check, FindsARaceBetweenThreads) {
    expect_finding(
        "__global__ void kernel(int* data) {\n"
        "    __shared__ int part[32];\n"
        "    part[threadIdx.x] = threadIdx.x;\n"
        "    data[threadIdx.x] = part[31 - threadIdx.x];\n"
        "}",
        "kernel<<<1, 32>>>(data);",
        {"warp_synchrony", "a.cu:5", " in kernel", "of block (0,0,0)", "→ Put __syncwarp()"});
}

TEST(Check, FindsARaceBetweenBlocks) {
    expect_finding("__global__ void kernel(int* data) { if (threadIdx.x == 0) data[0] += 1; }",
                   "kernel<<<2, 32>>>(data);",
                   {"error  race", "a.cu:2", "thread (0,0,0) of block (1,0,0)", "Make the update atomic"});
}

TEST(Check, FindsBlocksThatWriteDifferentValuesToOnePlace) {
    expect_finding("__global__ void kernel(int* data) { if (threadIdx.x == 0) data[0] = blockIdx.x; }",
                   "kernel<<<2, 32>>>(data);",
                   {"error  race", "a.cu:2", "of block (1,0,0) writes 4 bytes", "give each block its own element"});
}

TEST(Check, OnlyWarnsOfBlocksThatWriteTheSameValue) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) { if (threadIdx.x == 0) data[0] = 7; }"));
    const Said run = in(folder, "check a.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "warning  race") && contains(run.err, "in the same statement")) << run.err;
}

TEST(Check, NamesTheLineOfWhatFailsAndIsNoAccess) {
    expect_finding(
        "__global__ void kernel(int* data) {\n"
        "    int by = data[0];\n"
        "    data[2] = 1;\n"
        "    for (int i = 0; i < 3; ++i)\n"
        "        by = 7 / by;\n"
        "    data[1] = by;\n"
        "}",
        "kernel<<<1, 1>>>(data);", {"launch_failure", "a.cu:6"});
}

TEST(Check, FindsAnAccessBehindItsAllocation) {
    expect_finding("__global__ void kernel(int* data) { data[blockIdx.x * 32 + threadIdx.x + 1] = 1; }",
                   "kernel<<<2, 32>>>(data);",
                   {"out_of_bounds", "a.cu:2", "thread (31,0,0) of block (1,0,0) writes 4 bytes",
                    "right past the end of the nearest allocation of 256 bytes"});
}

TEST(Check, NamesRowsOfMatricesThatStartAtNoMultipleOfSixteenBytes) {
    const Folder folder;
    folder.write(
        "a.cu",
        program_with("__global__ void kernel(int* data) {\n"
                     "    __shared__ alignas(16) int tile[40];\n"
                     "    unsigned row = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x % 8 * 4 + 2);\n"
                     "    asm(\"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};\" ::\"r\"(row), \"r\"(1));\n"
                     "    __syncwarp();\n"
                     "    unsigned held;\n"
                     "    asm(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(held) : \"r\"(row));\n"
                     "    data[threadIdx.x] = held;\n"
                     "}",
                     "kernel<<<1, 32>>>(data);"));
    for (const std::string& compiler : compilers()) {
        const Said run = shell("cd '" + folder.string() + "'; export CXX=" + compiler + "; lanework check a.cu");
        EXPECT_EQ(run.status, 1) << compiler << run.err;
        for (const std::string part :
             {"misaligned_access  a.cu:5", "writes 16 bytes", "the same cause shows in line 8"})
            EXPECT_TRUE(contains(run.err, part)) << compiler << part << run.err;
    }
}

// A GPU accesses the words of a structure one by one. The hooks tell of 16 bytes, as of a vector.
TEST(Check, KnowsAVectorFromAStructureOfWords) {
    const Folder folder;
    folder.write("a.cu",
                 "#include <cuda_runtime.h>\n"
                 "struct Pair { double x, y; };\n"
                 "struct Particle { double mass; Pair at; };\n"
                 "__global__ void step(Particle* p) {\n"
                 "    Pair own = p[threadIdx.x].at;\n"
                 "    own.x += 1; own.y += own.x;\n"
                 "    p[threadIdx.x].at = own;\n"
                 "}\n"
                 "__global__ void place(Particle* p, const Pair* from) { p[threadIdx.x].at = from[threadIdx.x]; }\n"
                 "__global__ void vectors(float* p) {\n"
                 "    reinterpret_cast<float4*>(p + 2)[threadIdx.x] = make_float4(1, 2, 3, 4);\n"
                 "}\n"
                 "int main() {\n"
                 "    Particle* p; Pair* from; float* out;\n"
                 "    cudaMalloc(&p, 33 * sizeof *p); cudaMalloc(&from, 32 * sizeof *from); cudaMalloc(&out, 4096);\n"
                 "    cudaMemset(p, 0, 33 * sizeof *p); cudaMemset(from, 0, 32 * sizeof *from);\n"
                 "    step<<<1, 32>>>(p); place<<<1, 32>>>(p, from);\n"
                 "    if (cudaDeviceSynchronize() != cudaSuccess) return 3;\n"
                 "    vectors<<<1, 32>>>(out); cudaDeviceSynchronize();\n"
                 "}\n");
    for (const std::string& compiler : compilers()) {
        const Said run = shell("cd '" + folder.string() + "'; export CXX=" + compiler + "; lanework check a.cu");
        for (const char* of_words : {"a.cu:5", "a.cu:7", "a.cu:9"})
            EXPECT_FALSE(contains(run.err, of_words)) << compiler << run.err;
        if (compiler == "clang++") continue;  // it stores the four floats one by one
        EXPECT_TRUE(run.status == 1 && contains(run.err, "misaligned_access  a.cu:11")) << run.err;
    }
}

TEST(Check, FindsMemoryThatNobodyWrote) {
    expect_finding("__global__ void kernel(int* data) { data[threadIdx.x + 32] = data[threadIdx.x] + 1; }",
                   "cudaFree(data); cudaMalloc(&data, 256); kernel<<<1, 32>>>(data);",
                   {"uninitialised_read", "a.cu:2"});
}

// A tile whose border nobody fills is handed on whole, as in a sum that walks along a grid: what is used of it is told
// alone.
TEST(Check, FindsWhatNobodyWroteWhereItIsUsedAndNotWhereItIsMoved) {
    const std::string kernel =
        "__global__ void kernel(int* data) {\n"
        "    __shared__ int now[32], before[32];\n"
        "    if (threadIdx.x < 16) now[threadIdx.x] = data[threadIdx.x];\n"
        "    __syncthreads();\n"
        "    before[threadIdx.x] = now[threadIdx.x];\n"
        "    __syncthreads();\n"
        "    if (threadIdx.x < USED) data[threadIdx.x] = before[threadIdx.x] SHARE;\n}\n";
    const auto check = [&](const std::string& options) {
        const Folder folder;
        folder.write("a.cu", program_with(kernel, "kernel<<<1, 32>>>(data);"));
        return in(folder, "check a.cu " + options);
    };
    const Said silent = check("-DUSED=16 -DSHARE=");
    EXPECT_EQ(silent.status, 0) << silent.err;
    for (const std::string share : {"", "+1"}) {
        const Said told = check("-DUSED=17 -DSHARE=" + share);
        EXPECT_EQ(told.status, 1) << told.err;
        EXPECT_TRUE(contains(told.err, "uninitialised_read") && contains(told.err, "a.cu:8") &&
                    contains(told.err, "thread (16,0,0)"))
            << told.err;
    }
}

TEST(Check, FindsMemoryOfTheHostTooThatNobodyWrote) {
    for (const std::string allocate : {"cudaMallocManaged(&both, 256)", "cudaMallocHost(&both, 256)"}) {
        const std::string kernel =
            "__global__ void kernel(int* data, int* both) { data[threadIdx.x] = both[threadIdx.x]; }";
        const std::string begin = "int* both; " + allocate + "; ", launch = "kernel<<<1, 32>>>(data, both);";
        expect_finding(kernel, begin + launch, {"uninitialised_read", "a.cu:2", "thread (0,0,0)"});
        // The host wrote some; then all, between two launches that write it, too.
        expect_finding(kernel, begin + "for (int i = 0; i < 16; ++i) both[i] = i; " + launch,
                       {"uninitialised_read", "a.cu:2", "thread (16,0,0)"});
        const Folder folder;
        folder.write("a.cu", program_with(kernel, begin + "for (int i = 0; i < 32; ++i) both[i] = i; " + launch +
                                                      " cudaDeviceSynchronize(); kernel<<<1, 32>>>(both + 32, both); "
                                                      "cudaDeviceSynchronize(); kernel<<<1, 32>>>(data, both + 32);"));
        const Said all = in(folder, "check a.cu");
        EXPECT_EQ(all.status, 0) << all.err;
    }
}

TEST(Check, SaysOfAProgramThatFailsThatItCopiedWhatNobodyWrote) {
    const Folder folder;
    const auto program = [](const std::string& look) {
        return "#include <cstdlib>\n#include <vector>\n"
               "__global__ void inner(int* to) { if (threadIdx.x > 0) to[threadIdx.x] = 1; }\n"
               "int main() {\n"
               "    int* to;\n    cudaMalloc(&to, 128);\n    std::vector<int> home(32);\n"
               "    inner<<<1, 32>>>(to);\n"
               "    cudaMemcpy(home.data(), to, 128, cudaMemcpyDeviceToHost);\n"
               "    cudaFree(to);\n    " +
               look + "\n}\n";
    };
    const std::string note = "a.cu:9 copies bytes to the host that nobody wrote, the first of them byte 0 of 128.";
    for (const std::string look : {"if (home[0] != 0) std::abort();", "return home[0] != 0;"}) {
        folder.write("a.cu", program(look));
        EXPECT_EQ(in(folder, "run a.cu").status, 0);
        const Said failed = in(folder, "check --json out.json a.cu");
        EXPECT_NE(failed.status, 0);
        EXPECT_TRUE(contains(failed.err, note)) << failed.err;
        EXPECT_TRUE(contains(contents(folder / "out.json"), "\"line\": 9")) << contents(folder / "out.json");
    }
    // Whoever does not look at it need not know; and what was written is no such thing.
    folder.write("a.cu", program("return home[1] != 1;"));
    const Said good = in(folder, "check a.cu");
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_FALSE(contains(good.err, "copies bytes")) << good.err;
    folder.write("a.cu", program("return home[1];"));
    std::string written = contents(folder / "a.cu");
    written.replace(written.find("> 0"), 3, ">= 0");
    folder.write("a.cu", written);
    const Said other = in(folder, "check a.cu");
    EXPECT_EQ(other.status, 1) << other.err;
    EXPECT_FALSE(contains(other.err, "copies bytes")) << other.err;
}

TEST(Check, FindsASymbolThatIsAString) {
    expect_finding(
        "__constant__ int value;\n__global__ void kernel(int* data) { data[0] = value; }",
        "std::printf(\"cuda\"); int one = 1; const cudaError_t said = cudaMemcpyToSymbol(\"value\", &one, 4);\n"
        "    if (said != cudaErrorInvalidSymbol) std::abort();\n    kernel<<<1, 1>>>(data);",
        {"out_of_bounds", "a.cu:8", "writes 4 bytes to the symbol at", "since CUDA 5 a string names none",
         "Give the variable itself"});
}

TEST(Check, FindsABarrierThatSomeThreadsDoNotReach) {
    expect_finding(
        "__global__ void kernel(int* data) {\n    if (threadIdx.x < 16) __syncthreads();\n    data[0] = 1;\n}",
        "kernel<<<1, 32>>>(data);", {"divergent_barrier", "a.cu:3"});
}

TEST(Check, KnowsTheMemoryThatAKernelAllocates) {
    const std::string kernel =
        "__device__ int* kept;\n"
        "__global__ void kernel(int* data) {\n"
        "    int* const own = static_cast<int*>(malloc(8 * sizeof(int)));\n"
        "    int* const more = new int[4];\n"
        "    for (int i = 0; i < 8; ++i) own[i + SHIFT] = i;\n"
        "    more[3] = 1;\n"
        "    data[0] = own[7] + more[READ];\n"
        "    if (TWICE) free(own);\n"
        "    delete[] more;\n"
        "    kept = own;\n"
        "    free(own);\n"
        "}\n"
        "__global__ void later(int* data) { data[1] = ACCESSED; }\n";
    const auto expect = [&](const std::string& words, const std::string& rule, const std::string& line) {
        const Folder folder;
        folder.write("a.cu",
                     program_with(kernel, "kernel<<<1, 1>>>(data); cudaDeviceSynchronize(); later<<<1, 1>>>(data);"));
        const Said run = in(folder, "check a.cu " + words);
        EXPECT_EQ(run.status, rule.empty() ? 0 : 1) << words << run.err;
        EXPECT_TRUE(contains(run.err, rule.empty() ? "no findings" : rule) && contains(run.err, line))
            << words << run.err;
    };
    expect("-DSHIFT=0 -DREAD=3 -DTWICE=0 -DACCESSED=2", "", "");
    expect("-DSHIFT=1 -DREAD=3 -DTWICE=0 -DACCESSED=2", "out_of_bounds", "a.cu:6");
#ifndef __clang__  // newer ones know that nobody wrote to what `new` has just given, and leave the read out
    expect("-DSHIFT=0 -DREAD=2 -DTWICE=0 -DACCESSED=2", "uninitialised_read", "a.cu:8");
#endif
    expect("-DSHIFT=0 -DREAD=3 -DTWICE=0 -DACCESSED=*kept", "use_after_free", "a.cu:14");
    expect("-DSHIFT=0 -DREAD=3 -DTWICE=1 -DACCESSED=2", "launch_failure", "was freed before");
    expect("-DSHIFT=0 -DREAD=3 -DTWICE=1 -DACCESSED=2", "launch_failure", "a.cu:12");
}

TEST(Check, TakesMemoryThatSeveralThreadsOfTheHostAllocateCopyAndFreeWhileAnotherOnesKernelRuns) {
    const Folder folder;
    folder.write("a.cu",
                 "#include <cstdio>\n#include <thread>\n#include <vector>\n"
                 "__global__ void add(int* data) {\n"
                 "    __shared__ int part[64];\n"
                 "    part[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x];\n"
                 "    __syncthreads();\n"
                 "    data[blockIdx.x * 64 + threadIdx.x] = part[63 - threadIdx.x] + 1;\n"
                 "}\n"
                 "int main() {\n"
                 "    std::vector<std::thread> threads;\n"
                 "    std::vector<int> wrong(4, 0);\n"
                 "    for (int t = 0; t < 4; ++t)\n"
                 "        threads.emplace_back([t, &wrong] {\n"
                 "            for (int round = 0; round < 2000; ++round) {\n"
                 "                std::vector<int> numbers(512, t);\n"
                 "                int* data;\n"
                 "                cudaMalloc(&data, 2048);\n"
                 "                cudaMemcpy(data, numbers.data(), 2048, cudaMemcpyHostToDevice);\n"
                 "                if (t < 2) add<<<8, 64>>>(data);\n"
                 "                cudaMemcpy(numbers.data(), data, 2048, cudaMemcpyDeviceToHost);\n"
                 "                for (const int number : numbers) wrong[t] += number != t + (t < 2);\n"
                 "                cudaFree(data);\n"
                 "            }\n"
                 "        });\n"
                 "    for (std::thread& each : threads) each.join();\n"
                 "    std::printf(\"%d\\n\", wrong[0] + wrong[1] + wrong[2] + wrong[3]);\n"
                 "}\n");
    const Said run = shell("cd '" + folder.string() + "'; timeout 100 '" LANEWORK_BINARY "' check a.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "0\n");
    EXPECT_TRUE(contains(run.err, "a.cu: no findings in 4000 launches of 1 kernel")) << run.err;
}

TEST(Check, FindsALaunchThatIsRefused) {
    const Folder folder;
    folder.write("a.cu",
                 program_with("__global__ void kernel(int* data) { data[0] = 1; }", "kernel<<<1, 2048>>>(data);"));
    const Said run = in(folder, "check a.cu -- 0");
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_TRUE(contains(run.err, "launch_failure") && contains(run.err, "exceeds 1024 threads per block") &&
                contains(run.err, "it launched no kernel"))
        << run.err;
}

TEST(Check, KnowsThatBlocksMeetInACooperativeLaunch) {
    const auto program = [](const std::string& meeting) {
        return "#include <cooperative_groups.h>\n" +
               program_with(
                   "__global__ void kernel(int* data) {\n"
                   "    if (threadIdx.x == 0) data[blockIdx.x] = 1;\n    " +
                       meeting +
                       "\n"
                       "    if (threadIdx.x == 0) data[2 + blockIdx.x] = data[1 - blockIdx.x];\n"
                       "}",
                   "void* words[] = {&data}; cudaLaunchCooperativeKernel(kernel, 2, 32, words, 0, 0);");
    };
    const Folder folder;
    folder.write("met.cu", program("cooperative_groups::this_grid().sync();"));
    const Said met = in(folder, "check met.cu");
    EXPECT_EQ(met.status, 0) << met.err;
    EXPECT_TRUE(contains(met.err, "no findings")) << met.err;
    folder.write("apart.cu", program("__syncthreads();"));
    const Said apart = in(folder, "check apart.cu");
    EXPECT_EQ(apart.status, 1) << apart.err;
    EXPECT_TRUE(contains(apart.err, "race")) << apart.err;
}

TEST(Check, TellsConstantAndDeviceVariablesFromStrayAddresses) {
    const Folder folder;
    folder.write("a.cu", program_with("__constant__ int offset[32];\n__device__ int counter;\n"
                                      "__global__ void kernel(int* data) {\n"
                                      "    data[threadIdx.x] = offset[threadIdx.x] + atomicAdd(&counter, 1);\n"
                                      "}",
                                      "kernel<<<1, 32>>>(data);"));
    const Said run = in(folder, "check a.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "a.cu: no findings in 1 launch of 1 kernel")) << run.err;
}

TEST(Check, LeavesACleanProgramItsOutputAndItsStatus) {
    const Folder folder;
    folder.write("a.cu", program_with(kClean));
    const Said run = in(folder, "check a.cu --schedules 3 -- 9");
    EXPECT_EQ(run.status, 9);
    EXPECT_EQ(run.out, "cudaSuccess\n");
    EXPECT_EQ(run.err, "a.cu: no findings in 1 launch of 1 kernel\n");
}

TEST(Check, SaysOfAProgramThatItLaunchedNothing) {
    const Folder folder;
    folder.write("a.cu", "int main() { return 3; }\n");
    const Said none = in(folder, "check a.cu");
    EXPECT_EQ(none.status, 3);
    EXPECT_EQ(none.err, "a.cu: no findings; it launched no kernel\n");
}

TEST(Check, KeepsWhatItFoundInAProgramThatCrashes) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) { data[64 + threadIdx.x] = 1; }",
                                      "kernel<<<1, 32>>>(data); std::fflush(stdout); __builtin_trap();"));
    const Said run = in(folder, "check a.cu");
    EXPECT_EQ(run.status, 1);
    EXPECT_TRUE(contains(run.err, "out_of_bounds") && contains(run.err, "was ended before it could say")) << run.err;
}

TEST(Check, WritesItsFindingsToFiles) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) { data[threadIdx.x * 100] = 1; }"));
    const Said run = in(folder, "check a.cu --report out/report.txt --json out/report.json");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.err, "");
    EXPECT_TRUE(contains(contents(folder / "out/report.txt"), "out_of_bounds"));
    const std::string json = contents(folder / "out/report.json");
    EXPECT_TRUE(contains(json, "\"rule\": \"out_of_bounds\"") && contains(json, "\"kernel\": \"kernel\"")) << json;
}

TEST(Check, ChecksAProgramThatAnotherBuildMade) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) { data[threadIdx.x * 100] = 1; }"));
    const Said run =
        shell("cd '" + folder.string() +
              "'; lanework cc a.cu -o fast && lanework cc --observable a.cu -o watched\n"
              "lanework check ./watched -- 3 | cat; echo ${PIPESTATUS[0]}; lanework check ./fast; echo $?");
    EXPECT_TRUE(contains(run.err, "./watched: 2 findings: 1 error, 1 warning")) << run.err;
    EXPECT_FALSE(contains(run.err, "./fast: no findings")) << run.err;
    EXPECT_TRUE(contains(run.err, "./fast was not compiled to be watched: `lanework cc --observable` does that"))
        << run.err;
    EXPECT_TRUE(contains(run.out, "\n1\n") && contains(run.out, "\n77\n")) << run.out;
}

TEST(Check, SeesNothingWrongInAPointerToAKernel) {
    const Folder folder;
    folder.write("a.cu", R"(
#include <cstdio>
__global__ void one(int* p) { p[threadIdx.x] = 1; }
__global__ void two(int* p) { p[threadIdx.x] += 2; }
struct Named {
    void (*kernel)(int*);
};
#define LAUNCH(kernel, ...) kernel<<<1, 32>>>(__VA_ARGS__)
int asked = 0;
auto pick(int k) { ++asked; return k == 0 ? one : two; }
void launch(void (*given)(int*), int* p) { given<<<1, 32>>>(p); }
int main() {
    int* p;
    cudaMallocManaged(&p, 32 * sizeof(int));
    void (*kernels[])(int*) = {one, two};
    for (int k = 0; k < 2; ++k) kernels[k]<<<1, 32>>>(p);
    auto kernel = two;
    kernel<<<1, 32>>>(p);
    launch(two, p);
    const Named named{two};
    named.kernel<<<1, 32>>>(p);
    (p ? two : one)<<<1, 32>>>(p);
    pick(1)<<<1, 32>>>(p);
    LAUNCH(two, p);
    LAUNCH(kernel, p);
    LAUNCH(kernels[1], p);
    LAUNCH(named.kernel, p);
    cudaDeviceSynchronize();
    std::printf("%d %d\n", p[5], asked);
    cudaFree(p);
})");
    const Said run = in(folder, "check a.cu");
    EXPECT_TRUE(contains(run.err, "no findings in 11 launches")) << run.err;
    EXPECT_EQ(run.out, "21 1\n") << "the host evaluates the kernel once";
}

TEST(Check, NamesKernelsThatAreLaunchedThroughAPointerAlsoFromAGraph) {
    const Folder folder;
    folder.write("a.cu", R"(
template <int N>
__global__ void out(int* p) { p[32 + threadIdx.x] = N; }
void launch(void (*given)(int*), int* p, cudaStream_t stream) { given<<<1, 32, 0, stream>>>(p); }
int main() {
    int* p;
    cudaMalloc(&p, 32 * sizeof(int));
    launch(out<1>, p, 0);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t all;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    launch(out<2>, p, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&all, graph, 0);
    cudaGraphLaunch(all, stream);
    return cudaDeviceSynchronize();
})");
    const Said run = in(folder, "check a.cu --json found.json");
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_TRUE(contains(run.err, "in 2 launches of 1 kernel")) << run.err;
    const std::string json = contents(folder / "found.json");
    EXPECT_TRUE(contains(json, "\"kernel\": \"out<1>\"") && contains(json, "\"kernel\": \"out<2>\"")) << json;
}

TEST(Check, KnowsWhatCublasAndCurandWrite) {
    const Folder folder;
    folder.write("a.cu", R"(#include <cublas_v2.h>
#include <curand.h>
__global__ void read(const float* a, const int* place, float* out) {
    out[threadIdx.x] = a[threadIdx.x] + (place ? *place : 0);
}
int main() {
    float *numbers, *product, *row, *out;
    int* place;
    for (float** each : {&numbers, &product, &row, &out}) cudaMalloc(each, 1024 * sizeof(float));
    cudaMalloc(&place, sizeof(int));
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(generator, numbers, 1024);
    read<<<1, 1024>>>(numbers, nullptr, out);
    cublasHandle_t blas;
    cublasCreate(&blas);
    const float one = 1, zero = 0;
    cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 32, 32, 32, &one, numbers, 32, numbers, 32, &zero, product, 32);
    cublasScopy(blas, 64, numbers, 1, row, 2);
    cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
    cublasIsamax(blas, 64, numbers, 1, place);
    read<<<1, 1024>>>(product, place, out);
    read<<<1, LANES>>>(row, nullptr, out);
}
)");
    const Said clean = in(folder, "check a.cu -lcublas -lcurand -DLANES=1");
    EXPECT_EQ(clean.status, 0) << clean.err;
    // Between the numbers of the row nobody has written.
    const Said between = in(folder, "check a.cu -lcublas -lcurand -DLANES=2");
    EXPECT_TRUE(contains(between.err, "1 finding") && contains(between.err, "uninitialised_read")) << between.err;
}

TEST(Check, LetsBlocksBeginThatOthersWaitForWithVotesUnderEverySchedule) {
    const Folder folder;
    folder.write(
        "a.cu", program_with("__global__ void kernel(int* data) {\n"
                             "    if (blockIdx.x > 0)\n"
                             "        while (!__any_sync(~0u, atomicAdd(&data[blockIdx.x - 1], 0))) __nanosleep(100);\n"
                             "    __threadfence();\n"
                             "    if (threadIdx.x == 0) atomicExch(&data[blockIdx.x], 1);\n"
                             "}",
                             "kernel<<<12, 32>>>(data);"));
    const Said run = shell("cd '" + folder.string() + "'; timeout 100 '" LANEWORK_BINARY "' check --schedules 8 a.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "no findings in 1 launch")) << run.err;
}

TEST(Check, NamesKernelsThatAreLaunchedByTheirAddress) {
    const Folder folder;
    folder.write(
        "a.cu",
        launched_by_address(
            "cudaLaunchKernel((const void*)kernels::scale<int, 1>, 1, 32, words, 0, 0);\n"
            "cudaLaunchKernel(kernels::scale<int, 2>, dim3(1), dim3(32), words, 0, 0);\n"
            "auto kept = &kernels::scale<int, 3>; cudaLaunchCooperativeKernel((void*)kept, 1, 32, words, 0, 0);\n"
            "void (*table[])(int*) = {kernels::scale<int, 4>}; cudaLaunchKernel(table[0], 1, 32, words, 0, 0);\n"
            "cudaLaunchConfig_t config = {}; config.gridDim = 1; config.blockDim = 32;\n"
            "cudaLaunchKernelEx(&config, shift, data, nullptr);\n"
            "cudaLaunchKernelExC(&config, (void*)kernels::scale<int, 5>, words);\n"
            "cudaGraph_t graph; cudaGraphCreate(&graph, 0); cudaGraphNode_t node; cudaGraphExec_t all;\n"
            "cudaKernelNodeParams what = {}; what.func = (void*)kernels::scale<int, 6>; what.gridDim = 1;\n"
            "what.blockDim = 32; what.kernelParams = words; cudaGraphAddKernelNode(&node, graph, nullptr, 0, &what);\n"
            "cudaGraphInstantiate(&all, graph, 0); cudaGraphLaunch(all, 0);"));
    const Said run = in(folder, "check a.cu --json found.json");
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_TRUE(contains(run.err, "in 7 launches of 2 kernels")) << run.err;
    const std::string json = contents(folder / "found.json");
    EXPECT_TRUE(contains(json, "\"kernel\": \"shift\"")) << json;
    for (const char* value : {"1", "2", "3", "4", "5", "6"})
        EXPECT_TRUE(contains(json, std::string("\"kernel\": \"kernels::scale<int, ") + value + ">\"")) << value << json;
}

TEST(Check, NamesTheLineOfALaunchByAddressThatIsRefused) {
    const Folder folder;
    folder.write("a.cu", launched_by_address("cudaLaunchConfig_t config = {};\n"
                                             "config.gridDim = 1; config.blockDim = 2000;\n"
                                             "cudaLaunchKernelEx(&config, shift, data, nullptr);"));
    const Said run = in(folder, "check a.cu");
    EXPECT_TRUE(contains(run.err, "launch_failure  a.cu:17") && contains(run.err, "shift")) << run.err;
}

}  // namespace
}  // namespace lanework
