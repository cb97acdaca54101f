// `lanework check`: what is wrong with a program, with kernel, block, thread, line and remedy.
#include <tuple>

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

TEST(Check, LeavesNothingBehindWhereItIsInterrupted) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) { data[0] = threadIdx.x + blockIdx.x; }",
                                      "kernel<<<2, 32>>>(data); std::printf(\"now\\n\"); std::fflush(stdout);\n"
                                      "    for (;;) cudaDeviceSynchronize();"));
    const Said run =
        shell("cd '" + folder.string() +
              "'; export XDG_CACHE_HOME=$PWD/cache\n"
              "'" LANEWORK_BINARY "' check a.cu > out & pid=$!\n" +
              wait_for("now", "out") + "kill -TERM $pid; wait $pid; echo $?; ls cache/lanework/programs/unfinished");
    EXPECT_EQ(run.out, "143\n") << run.err;
    EXPECT_TRUE(contains(run.err, "race") && contains(run.err, "a.cu: 1 finding: 1 error until it was interrupted"))
        << run.err;
}

TEST(Check, TellsWhatALaunchShowedThatIsInterrupted) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) {\n    data[0] = threadIdx.x + blockIdx.x;\n"
                                      "    for (long i = 0; i < 1000000000000; ++i) atomicAdd(data + 1, 1);\n}",
                                      "std::printf(\"now\\n\"); std::fflush(stdout); kernel<<<1, 64>>>(data);"));
    for (const std::string signal : {"INT", "TERM"}) {
        // What a shell runs beside it ignores Ctrl-C.
        const Said run = shell("cd '" + folder.string() +
                               "'\nset -m\nenv --default-signal=INT '" LANEWORK_BINARY "' check a.cu > out & pid=$!\n" +
                               wait_for("now", "out") + "sleep 2\nkill -" + signal + " -$pid\nwait $pid; rm out");
        EXPECT_TRUE(contains(run.err, "race") &&
                    contains(run.err, "a.cu: 1 finding: 1 warning until it was interrupted"))
            << signal << run.err;
        EXPECT_TRUE(contains(run.err, "interrupted in launch 1, of kernel, which began 1 of 1 blocks")) << run.err;
    }
}

/// A race in its first block, and hours of checking behind it.
const std::string kRacingForHours =
    "__global__ void kernel(int* data) {\n    data[0] = threadIdx.x + blockIdx.x;\n"
    "    for (long i = 0; i < 100000; ++i) atomicAdd(data + 1, 1);\n}";

TEST(Check, TellsItToWhoSendsTheSignalTwice) {
    const Folder folder;
    folder.write("a.cu", program_with(kRacingForHours,
                                      "std::printf(\"now\\n\"); std::fflush(stdout); kernel<<<20000, 64>>>(data);"));
    // As `timeout` does: to the command, and to its group, the command among that.
    for (int run = 0; run < 3; ++run) {
        const Said said =
            shell("cd '" + folder.string() + "'\nset -m\n'" LANEWORK_BINARY "' check a.cu > out & pid=$!\n" +
                  wait_for("now", "out") +
                  "sleep 1\nkill -TERM $pid\nsleep 0.01\nkill -TERM -$pid\nwait $pid; echo $?; rm out");
        EXPECT_EQ(said.out, "143\n") << said.err;
        EXPECT_TRUE(contains(said.err, "race") && contains(said.err, " until it was interrupted\n")) << said.err;
    }
}

TEST(Check, CallsNothingCleanOfALaunchThatDidNotComeToTell) {
    const Folder folder;
    // The second signal finds no handler, and leaves no time to tell anything.
    folder.write("a.cu", "#include <csignal>\n#include <thread>\n" +
                             program_with(kRacingForHours,
                                          "std::thread([] {\n"
                                          "        std::this_thread::sleep_for(std::chrono::seconds(1));\n"
                                          "        raise(SIGTERM);\n"
                                          "        std::signal(SIGTERM, SIG_DFL);\n"
                                          "        raise(SIGTERM);\n"
                                          "    }).detach();\n"
                                          "    kernel<<<20000, 64>>>(data);"));
    const Said run = in(folder, "check --json out.json a.cu");
    EXPECT_EQ(run.status, 143) << run.err;
    EXPECT_TRUE(contains(run.err,
                         "a.cu: no findings until it was interrupted; what the launch that ran then had shown "
                         "is not known"))
        << run.err;
    EXPECT_TRUE(contains(contents(folder / "out.json"), "\"untold\": true"));
}

TEST(Check, EndsAProgramThatCannotTellAndAtOnceWhereItIsAskedTwice) {
    const Folder folder;
    // Its kernel stands still in a handler of its own.
    folder.write("a.cu", "#include <pthread.h>\n#include <unistd.h>\n#include <csignal>\n#include <thread>\n" +
                             program_with(kRacingForHours,
                                          "std::signal(SIGUSR1, [](int) { for (;;) pause(); });\n"
                                          "    std::thread([launching = pthread_self()] {\n"
                                          "        std::this_thread::sleep_for(std::chrono::seconds(1));\n"
                                          "        pthread_kill(launching, SIGUSR1);\n"
                                          "        std::this_thread::sleep_for(std::chrono::milliseconds(100));\n"
                                          "        std::printf(\"now %d\\n\", getpid()); std::fflush(stdout);\n"
                                          "    }).detach();\n"
                                          "    kernel<<<20000, 64>>>(data);"));
    const auto interrupted = [&](const std::string& again) {
        return shell(
            "cd '" + folder.string() + "'\nset -m\n'" LANEWORK_BINARY "' check a.cu > out & pid=$!\n" +
            wait_for("now", "out") + "read now program < out; rm out\nkill -TERM -$pid\n" + again +
            "wait $pid; echo $?; sleep 0.2; grep -qs '^State:.[^ZX]' /proc/$program/status && echo still there");
    };
    const Said once = interrupted("");
    EXPECT_TRUE(contains(once.err,
                         "a.cu: no findings; the program was ended before it could say how far it came; what "
                         "the launch that ran then had shown is not known"))
        << once.err;
    EXPECT_TRUE(once.out.starts_with("143\n") && !contains(once.out, "still there")) << once.out;
    const Said twice = interrupted("sleep 0.5\nkill -TERM -$pid\n");
    EXPECT_TRUE(twice.out.starts_with("143\n") && !contains(twice.out, "still there")) << twice.out;
    EXPECT_FALSE(contains(twice.err, "a.cu: ")) << twice.err;
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

TEST(Check, OfAProgramThatIsInterruptedSaysWhatItFoundAndHowItEnded) {
    const Folder folder;
    // In the second run it waits for the signal, which it alone gets.
    folder.write("a.cu", program_with("__global__ void kernel(int* data) { data[0] = threadIdx.x + blockIdx.x; }",
                                      "kernel<<<2, 32>>>(data); cudaDeviceSynchronize();\n"
                                      "    if (std::fopen(argv[1], \"r\")) raise(SIGINT);\n"
                                      "    std::fclose(std::fopen(argv[1], \"w\"));"));
    const std::string head = "cd '" + folder.string() + "'; sed -i '1i #include <csignal>' a.cu; ";
    const Said later = shell(head + "lanework check --schedules 9 a.cu -- been");
    EXPECT_EQ(later.status, 130) << later.err;
    EXPECT_TRUE(contains(later.err, "1 error in 1 launch of 1 kernel, until a further schedule was interrupted"))
        << later.err;
    const Said first = in(folder, "check --schedules 9 --json out.json a.cu -- been");
    EXPECT_EQ(first.status, 130) << first.err;
    EXPECT_TRUE(contains(first.err, "a.cu: 1 finding: 1 error until it was interrupted")) << first.err;
    EXPECT_TRUE(contains(contents(folder / "out.json"), "\"interrupted\": true"));
}

/// Seconds of checking in the first launch, and a race in the second.
const std::string kLong =
    "__global__ void slow(int* data) {\n"
    "    int sum = 0;\n"
    "    for (int i = 0; i < 200; ++i) sum += data[threadIdx.x + i & 63];\n"
    "    if (sum == -1) data[0] = sum;\n"
    "}\n"
    "__global__ void racing(int* data) { data[0] = threadIdx.x + blockIdx.x; }";

TEST(Check, SaysWhatItHadNoTimeForAndCallsNothingOfItClean) {
    const Folder folder;
    folder.write("a.cu", program_with(kLong, "slow<<<20000, 64>>>(data); racing<<<2, 32>>>(data);"));
    const Said run = in(folder, "check --seconds 1 --json out.json a.cu");
    EXPECT_EQ(run.status, 5) << run.err;
    EXPECT_EQ(run.out, "cudaSuccess\n") << run.err;
    EXPECT_TRUE(contains(run.err, "a.cu: no findings in 2 launches of 2 kernels; its time was over: ") &&
                contains(run.err, " of the 20000 blocks of a launch of slow, 1 further launch ran unchecked"))
        << run.err;
    const std::string json = contents(folder / "out.json");
    EXPECT_TRUE(contains(json, "\"of\": 20000") && contains(json, "\"launches\": 1")) << json;
}

TEST(Check, TellsWhatItFoundBeforeItsTimeWasOver) {
    const Folder folder;
    folder.write("a.cu", program_with(kLong, "racing<<<2, 32>>>(data); slow<<<20000, 64>>>(data);"));
    const Said run = in(folder, "check --seconds 1 a.cu");
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_TRUE(contains(run.err, "a.cu: 1 finding: 1 error in 2 launches of 2 kernels; its time was over: "))
        << run.err;
}

TEST(Check, ThatIsInterruptedBehindItsTimeSaysSo) {
    const Folder folder;
    // When the signal comes no block runs any more that anybody follows.
    folder.write("a.cu",
                 program_with(kLong, "std::printf(\"now\\n\"); std::fflush(stdout); slow<<<1 << 30, 64>>>(data);"));
    const Said run =
        shell("cd '" + folder.string() + "'\nset -m\n'" LANEWORK_BINARY "' check --seconds 1 a.cu > out & pid=$!\n" +
              wait_for("now", "out") + "sleep 3\nkill -TERM -$pid\nwait $pid");
    EXPECT_TRUE(contains(run.err, "interrupted in launch 1, of slow, which began ") &&
                contains(run.err, " until it was interrupted; its time was over: "))
        << run.err;
}

TEST(Check, CallsNothingCleanOfAProcessThatEndsWithoutAWord) {
    const Folder folder;
    folder.write("gone.cu", "#include <unistd.h>\n" + program_with(kLong, "slow<<<20000, 64>>>(data); _exit(0);"));
    const Said gone = in(folder, "check --seconds 1 gone.cu");
    EXPECT_EQ(gone.status, 5) << gone.err;
    EXPECT_TRUE(contains(gone.err, "its time was over: what a process launched that was ended ran unchecked"))
        << gone.err;
    folder.write("child.cu", "#include <sys/wait.h>\n#include <unistd.h>\n" +
                                 program_with(kLong,
                                              "if (fork() == 0) { sleep(2); racing<<<2, 32>>>(data); _exit(0); }\n"
                                              "    wait(nullptr);"));
    EXPECT_EQ(in(folder, "check --seconds 1 child.cu").status, 5);
}

TEST(Check, SaysHowFarItIsWhereSomebodyWaits) {
    const Folder folder;
    folder.write("a.cu", program_with(kLong, "slow<<<20000, 64>>>(data);"));
    const Said run = shell("cd '" + folder.string() +
                           "'; lanework cc --observable a.cu -o a && LANEWORK_WATCH=$(printf "
                           "'check\nprogress=1\nseconds=2') ./a");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "s: launch 1, of slow, has checked ") && contains(run.err, " of 20000 blocks\n"))
        << run.err;
}

TEST(Check, ThatHasTimeEnoughSaysNothingOfIt) {
    const Folder folder;
    folder.write("a.cu", program_with(kClean));
    const Said run = in(folder, "check --seconds 3600 a.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "a.cu: no findings in 1 launch of 1 kernel") && !contains(run.err, "unchecked"))
        << run.err;
}

TEST(Profile, PredictsTheCountersOfAProgramWhereNoGpuIs) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) {\n    data[threadIdx.x * 2] = 1;\n}",
                                      "kernel<<<1, 32>>>(data); kernel<<<1, 16>>>(data);"));
    const Said run = in(folder, "profile a.cu --device simt --json p.json -- 0; cat p.json");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "no hardware counters, predicted ones only")) << run.err;
    EXPECT_TRUE(contains(run.out, "\na.cu\n\nkernel\n")) << run.out;
    EXPECT_TRUE(contains(run.out, "\"no_hardware\": \"simt has no hardware counters\"")) << run.out;
    EXPECT_TRUE(contains(in(folder, "profile a.cu --device simt --launch 2 -- 0").out, "16")) << run.out;
    const Said size = in(folder, "profile a.cu --size 8");
    EXPECT_EQ(size.status, 2);
    EXPECT_TRUE(contains(size.err, "what else profile has is for rungs")) << size.err;
    EXPECT_EQ(in(folder, "profile add --launch 2").status, 2);
}

TEST(Explain, ShowsTheLinesOfOurOwnProgramsFromAnyFolder) {
    const Said run = shell("cd /; lanework explain '" LANEWORK_SOURCE_DIR "/examples/programs/bitonic_sort.cu'");
    EXPECT_TRUE(contains(run.out, "if ((a > b) != up) return;")) << run.out << run.err;
}

TEST(Explain, NamesFilesOfOtherFoldersByTheirWholePathsEverywhere) {
    const Folder folder, elsewhere;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) {\n    data[threadIdx.x * 2] = 1;\n}",
                                      "kernel<<<1, 32>>>(data); kernel<<<100, 32>>>(data);"));
    const Said run = in(elsewhere, "explain '" + (folder / "a.cu").string() + "'");
    EXPECT_TRUE(contains(run.out, "block 32  " + (folder / "a.cu").string() + ":")) << run.out;
    EXPECT_FALSE(contains(run.out, "../")) << run.out;
    EXPECT_TRUE(contains(run.err,
                         "launch 2 of kernel has 3200 threads, the explained one 32: "
                         "--kernel kernel --launch 2 explains it"))
        << run.err;
}

TEST(Explain, NamesTheLargerLaunchOfEachKernelOnce) {
    const Folder folder;
    folder.write("a.cu", "#include <cstdlib>\n#include <string>\n" +
                             program_with("__global__ void kernel(int* data) { data[threadIdx.x] = 1; }\n"
                                          "__global__ void other(int* data) { data[threadIdx.x] = 2; }",
                                          "const bool first = argc == 1;\n"
                                          "if (first) std::system((std::string(argv[0]) + \" 0\").c_str());\n"
                                          "kernel<<<1, 32>>>(data); kernel<<<first ? 100 : 50, 32>>>(data);\n"
                                          "other<<<1, 32>>>(data); other<<<2, 32>>>(data); other<<<9, 32>>>(data);"));
    const Said run = in(folder, "explain a.cu");
    const auto times = [&](const std::string& text) {
        std::size_t count = 0;
        for (auto at = run.err.find(text); at != run.err.npos; at = run.err.find(text, at + 1)) ++count;
        return count;
    };
    EXPECT_EQ(times("launch 2 of kernel has 3200 threads, the explained one 32: --kernel kernel --launch 2"), 1u)
        << run.err;
    EXPECT_EQ(times("launch 3 of other has 288 threads, the explained one 32: --kernel other --launch 3"), 1u)
        << run.err;
    EXPECT_EQ(times("explains it"), 2u) << run.err;
    const Said asked = in(folder, "explain a.cu --kernel other --launch 3");
    EXPECT_TRUE(contains(asked.out, "grid 9")) << asked.out << asked.err;
}

TEST(Explain, TellsKernelsOfOneNameInTwoFilesApart) {
    const Folder folder;
    folder.write("a.cu",
                 "static __global__ void twin(int* p) { p[threadIdx.x] = 1; }\n"
                 "void first(int* p) { twin<<<1, 32>>>(p); }\n");
    folder.write("b.cu",
                 "static __global__ void twin(int* p) { p[32 + threadIdx.x] = 2; }\nvoid first(int* p);\n"
                 "int main() { int* p; cudaMalloc(&p, 256); first(p); twin<<<1, 32>>>(p); }\n");
    EXPECT_EQ(in(folder, "check a.cu b.cu").err, "a.cu: no findings in 2 launches of 2 kernels\n");
    const std::string explained = in(folder, "explain --as-written a.cu b.cu").out;
    for (const std::string place : {"twin  grid 1, block 32  a.cu:2", "twin  grid 1, block 32  b.cu:3"})
        EXPECT_TRUE(contains(explained, place)) << explained;
}

TEST(Explain, EstimatesNoTimeOfALaunchThatFailed) {
    const Folder folder;
    folder.write("a.cu",
                 program_with("__global__ void kernel(int* data) {\n    if (threadIdx.x < 8) __syncthreads();\n}",
                              "kernel<<<1, 32>>>(data);"));
    const Said run = in(folder, "explain a.cu");
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_TRUE(contains(run.out, "  failed\n")) << "the finding says why: " << run.out;
    EXPECT_TRUE(contains(run.out, "wait at __syncthreads() at a.cu:")) << "from this folder: " << run.out;
    EXPECT_FALSE(contains(run.out, "stimate")) << run.out;
}

TEST(Explain, CountsNothingThatTheDevicesOwnFunctionsKeepOnTheStack) {
    const Folder folder;
    folder.write("a.cu", program_with("struct Point { float x, y; };\n"
                                      "__global__ void kernel(int* data) {\n"
                                      "    const Point* points = reinterpret_cast<const Point*>(data);\n"
                                      "    atomicAdd(reinterpret_cast<float*>(data) + 60, points[threadIdx.x].x);\n"
                                      "}",
                                      "kernel<<<1, 16>>>(data);"));
    const Said run = in(folder, "explain a.cu --as-written");
    EXPECT_TRUE(contains(run.out, "red global")) << run.out;
    EXPECT_FALSE(contains(run.out, "st local")) << run.out;
}

TEST(Explain, CountsWhatTheSystemsFunctionsDoWithAKernelsOwnArray) {
    const Folder folder;
    folder.write("a.cu",
                 "#include <utility>\n" + program_with("__device__ __noinline__ void mix(int* a, const int* data) {\n"
                                                       "    std::swap(a[data[0] + threadIdx.x], a[data[1] + 3]);\n"
                                                       "}\n"
                                                       "__global__ void kernel(int* data) {\n"
                                                       "    int a[64];\n"
                                                       "    for (int i = 0; i < 64; ++i) a[i] = data[i];\n"
                                                       "    mix(a, data);\n"
                                                       "    for (int i = 0; i < 64; ++i) data[i] = a[i];\n"
                                                       "}",
                                                       "kernel<<<1, 16>>>(data);"));
    const Said run = in(folder, "explain a.cu --as-written --std c++20 --expt-relaxed-constexpr");
    for (const char* access : {"ld local", "st local"}) EXPECT_TRUE(contains(run.out, access)) << run.out << run.err;
}

TEST(Explain, RunsLaunchesThatItDoesNotExplainAsRunDoes) {
    const Folder folder;
    const std::string kernel =
        "__global__ void kernel(int* data) { if (threadIdx.x < 8) { __syncthreads(); data[0] = 7; } }";
    folder.write("a.cu", program_with(kernel, "kernel<<<1, 8>>>(data); kernel<<<1, 32>>>(data);"));
    EXPECT_EQ(in(folder, "run a.cu").out, "cudaSuccess\n") << "a GPU does not wait for threads that left";
    EXPECT_EQ(in(folder, "explain a.cu").out.substr(0, 12), "cudaSuccess\n");
    folder.write("a.cu", program_with("__global__ void kernel(int* data, long i) { data[i] = 7; }",
                                      "kernel<<<1, 8>>>(data, 0); kernel<<<1, 8>>>(data, 1l << 40);"));
    const Said fails = in(folder, "explain a.cu");
    EXPECT_TRUE(contains(fails.err, "where there is no memory")) << fails.err;
    EXPECT_TRUE(contains(fails.err, "`lanework check` names the access, and the array")) << fails.err;
}

TEST(Explain, ShowsTheLineOfAFindingThatAccessesNoMemory) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) {\n"
                                      "    unsigned x = threadIdx.x;\n"
                                      "    for (int i = 0; i < 500; ++i)\n"
                                      "        x = x * 1664525u + 1013904223u;\n"
                                      "    data[threadIdx.x] = x;\n"
                                      "}",
                                      "kernel<<<1000, 256>>>(data);"));
    const Said run = in(folder, "explain a.cu");
    const std::size_t finding = run.out.find("dependent_arithmetic, line ");
    ASSERT_NE(finding, run.out.npos) << run.out;
    EXPECT_TRUE(contains(run.out, "1664525u") || contains(run.out, "i < 500")) << run.out;
}

TEST(Explain, CountsNothingOfAnAccessToNobodysMemory) {
    const Folder folder;
    folder.write("a.cu",
                 program_with("__global__ void kernel(int* data) { data[blockIdx.x * 32 + threadIdx.x + 1] = 1; }",
                              "kernel<<<2, 32>>>(data);"));
    const Said run = in(folder, "explain a.cu");
    EXPECT_TRUE(contains(run.out, "out_of_bounds, line 2")) << run.out;
    EXPECT_TRUE(contains(run.out, "st global")) << run.out;
    EXPECT_FALSE(contains(run.out, "unknown")) << run.out;
}

TEST(Explain, ShowsTheCountersOfAProgramBesideItsLines) {
    const Folder folder;
    folder.write("a.cu", program_with("__global__ void kernel(int* data) {\n    data[threadIdx.x * 2] = 1;\n}",
                                      "kernel<<<1, 32>>>(data); kernel<<<1, 16>>>(data);"));
    const Said run = in(folder, "explain a.cu");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "kernel  grid 1, block 32")) << run.out;
    EXPECT_FALSE(contains(run.out, "block 16")) << run.out;
    EXPECT_TRUE(contains(run.out, "data[threadIdx.x * 2] = 1;")) << run.out;
    EXPECT_TRUE(contains(run.out, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")) << run.out;
    EXPECT_TRUE(contains(in(folder, "explain a.cu --launch 2").out, "block 16"));
    const Said none = in(folder, "explain a.cu --kernel other");
    EXPECT_EQ(none.status, 77);
    EXPECT_TRUE(contains(none.err, "a.cu has no launch 1 of other to explain; it launched 1 kernel 2 times"))
        << none.err;
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

/// A program whose first kernel ends, and what ends the program before its second one.
std::string ended_by(const std::string& what) {
    return "#include <csignal>\n#include <cstdlib>\n" +
           program_with(
               "__global__ void first(int* data) { data[threadIdx.x] = 1; }\n"
               "__global__ void second(int* data) { data[threadIdx.x] = 2; }",
               "first<<<1, 32>>>(data); cudaDeviceSynchronize(); " + what + "\n    second<<<1, 16>>>(data);");
}

TEST(Explain, OfAProgramThatIsInterruptedShowsTheLaunchesThatHadEnded) {
    for (const auto& [what, status, why] :
         {std::tuple("raise(SIGINT);", 130, "it was interrupted"),
          std::tuple("raise(SIGTERM);", 143, "it was interrupted"),
          std::tuple("std::_Exit(5);", 5, "it ended before its end, with status 5"),
          std::tuple("std::abort();", 134, "it ended before its end, with status 134")}) {
        const Folder folder;
        folder.write("a.cu", ended_by(what));
        const Said run = in(folder, "explain a.cu --json out.json");
        EXPECT_EQ(run.status, status) << what << run.err;
        EXPECT_TRUE(contains(run.err, std::string("a.cu: ") + why + "; what follows")) << run.err;
        EXPECT_TRUE(contains(run.out, "first  grid 1, block 32") && !contains(run.out, "block 16")) << run.out;
        EXPECT_TRUE(contains(contents(folder / "out.json"), "\"first\"")) << what;
    }
    const Folder folder;
    folder.write("a.cu", ended_by("raise(SIGINT);"));
    const Said none = in(folder, "explain a.cu --kernel second");
    EXPECT_EQ(none.status, 130);
    EXPECT_TRUE(contains(none.err, "it was interrupted, and no launch that was to be explained had ended")) << none.err;
    EXPECT_EQ(none.out, "");
}

TEST(Explain, IsInterruptedWithItsProgram) {
    const Folder folder;
    folder.write("a.cu", ended_by("std::printf(\"now\\n\"); std::fflush(stdout); for (;;) cudaDeviceSynchronize();"));
    const Said run = shell("cd '" + folder.string() +
                           "'; export XDG_CACHE_HOME=$PWD/cache\n"
                           "'" LANEWORK_BINARY "' explain a.cu > out & pid=$!\n" +
                           wait_for("now", "out") + "kill -TERM $pid; wait $pid; echo $?");
    EXPECT_EQ(run.out, "143\n") << run.err;
    EXPECT_TRUE(contains(contents(folder / "out"), "first  grid 1, block 32")) << run.err;
}

/// Two kernels that are launched without <<<>>> and write beyond their 64 elements.
std::string launched_by_address(const std::string& launch) {
    return program_with(
        "namespace kernels {\n"
        "template <class T, int N>\n"
        "__global__ void scale(T* data) { data[64 + threadIdx.x] = N; }\n"
        "}\n"
        "namespace {\n__global__ void shift(int* data, void (*)(int)) { data[64 + threadIdx.x] = 1; }\n}\n",
        "void* words[] = {&data, &data};\n" + launch);
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

TEST(Explain, LoadsThatArePutTogetherAreCountedAsWrittenWithEveryCompiler) {
    const Folder folder;
    folder.write("join.cu",
                 "__global__ void join(const unsigned char* in, unsigned* out) {\n"
                 "    const unsigned char* p = in + 4 * threadIdx.x;\n"
                 "    out[threadIdx.x] = p[0] | unsigned{p[1]} << 8 | unsigned{p[2]} << 16 | unsigned{p[3]} << 24;\n"
                 "}\n"
                 "int main() {\n"
                 "    unsigned char* in;\n    unsigned* out;\n"
                 "    cudaMalloc(&in, 128);\n    cudaMalloc(&out, 128);\n    cudaMemset(in, 1, 128);\n"
                 "    join<<<1, 32>>>(in, out);\n"
                 "    return cudaDeviceSynchronize();\n"
                 "}\n");
    for (const std::string& compiler : compilers()) {
        const Said run = shell("cd '" + folder.string() + "'; export CXX=" + compiler +
                               "; lanework explain join.cu --as-written --json -");
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_TRUE(contains(run.out, "\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\":{\"value\":4,"))
            << compiler << "\n"
            << run.out;
    }
}

TEST(Explain, FindsAKernelThatIsLaunchedByItsAddress) {
    const Folder folder;
    folder.write("a.cu", launched_by_address("cudaLaunchKernel((void*)kernels::scale<int, 3>, 1, 32, words, 0, 0);\n"
                                             "cudaLaunchKernel((void*)shift, 1, 16, words, 0, 0);"));
    const Said run = in(folder, "explain a.cu --kernel scale");
    EXPECT_TRUE(contains(run.out, "kernels::scale<int, 3>  grid 1, block 32")) << run.out << run.err;
    EXPECT_FALSE(contains(run.out, "block 16")) << run.out;
}

}  // namespace
}  // namespace lanework
