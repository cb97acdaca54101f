// `lanework run --gdb` and `--break`, with the gdb of this machine: what is stopped at, what is seen there, how it
// ends.
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

class Debug : public testing::Test {
protected:
    void SetUp() override {
        if (shell("command -v gdb && gdb -nx -batch -ex 'python print(1)'").status != 0)
            GTEST_SKIP() << "there is no gdb with Python here";
    }
};

/// Block (1,0,0), thread (3,0,0) puts 67 into the tile; thread 5 adds its neighbours to it.
const std::string kSum =
    "#include <cstdio>\n"
    "#include <cstdlib>\n"
    "template <class T>\n"
    "__device__ T twice(T value) {\n"
    "    T result = value + value;\n"
    "    return result;\n"
    "}\n"
    "__global__ void sum(const int* in, int* total) {\n"
    "    __shared__ int part[64];\n"
    "    int mine = in[blockIdx.x * 64 + threadIdx.x];\n"
    "    part[threadIdx.x] = twice(mine);\n"
    "    __syncthreads();\n"
    "\n"
    "    int other = part[threadIdx.x ^ 1];\n"
    "    atomicAdd(total, mine + other);\n"
    "}\n"
    "__global__ void never(int* x) { *x = 1; }\n"
    "__global__ void wrong(int* x) {\n"
    "    if (threadIdx.x == 2) x = nullptr;\n"
    "    x[threadIdx.x] = 1;\n"
    "}\n"
    "int main(int argc, char** argv) {\n"
    "    int *in, *total;\n"
    "    cudaMallocManaged(&in, 1024 * sizeof(int));\n"
    "    cudaMallocManaged(&total, sizeof(int));\n"
    "    for (int i = 0; i < 1024; ++i) in[i] = i;\n"
    "    *total = 0;\n"
    "    if (argc > 1 && argv[1][0] == 'w') wrong<<<1, 4>>>(in);\n"
    "    else if (argc > 1 && argv[1][0] == 'a') std::abort();\n"
    "    else if (argc > 1 && argv[1][0] == 'n') never<<<0, 1>>>(in);\n"
    "    else sum<<<dim3(2, 2), 64>>>(in, total);\n"
    "    std::printf(\"%s %d %d\\n\", cudaGetErrorName(cudaDeviceSynchronize()), *total, argc);\n"
    "    for (int c; (c = std::getchar()) != EOF;) std::putchar(c);\n"
    "    return 3;\n"
    "}\n";

TEST_F(Debug, ShowsTheVariablesOfOneThreadAndLeavesTheProgramItsOwn) {
    const Folder folder;
    folder.write("sum.cu", kSum);
    const Said run = shell("cd '" + folder.string() +
                           "'; echo input | lanework run sum.cu --break 'sum:14@block(1),thread(3)' "
                           "--break 'twice@block(0,1),thread(63,0,0)' -- x 'y  z' ''");
    EXPECT_EQ(run.status, 3) << run.err;
    EXPECT_EQ(run.out, "cudaSuccess 48768 4\ninput\n");
    EXPECT_TRUE(contains(run.err,
                         "sum:14@block(1),thread(3), stop 1\n"
                         "  sum<<<(2,2), 64>>> of sum.cu:31, block (1,0,0), thread (3,0,0)\n"
                         "  14\t    int other = part[threadIdx.x ^ 1];\n"
                         "  #0  sum (in=0x"))
        << run.err;
    EXPECT_TRUE(contains(run.err, "\n  mine = 67\n") && contains(run.err, "{128, 130, 132, 134,")) << run.err;
    EXPECT_TRUE(contains(run.err,
                         "block (0,1,0), thread (63,0,0)\n  5\t    T result = value + value;\n"
                         "  #0  twice<int> (value=63) at"))
        << run.err;
    EXPECT_FALSE(contains(run.err, "stop 2") || contains(run.err, "lanework_simt")) << run.err;
}

TEST_F(Debug, ShowsSoManyStopsOfEachPlaceAndGoesOn) {
    const Folder folder;
    folder.write("sum.cu", kSum);
    const Said run = in(folder, "run sum.cu --break sum.cu:6 --break 'sum:11@thread(9)' --stops 3");
    EXPECT_EQ(run.status, 3) << run.err;
    EXPECT_TRUE(contains(run.err, "sum.cu:6, stop 3\n  sum<<<(2,2), 64>>> of sum.cu:31, block (0,0,0), thread (2,0,0)"))
        << run.err;
    EXPECT_TRUE(contains(run.err, "no more stops of sum.cu:6 are shown")) << run.err;
    EXPECT_FALSE(contains(run.err, "sum.cu:6, stop 4")) << run.err;
    // One of each block, in their order; the last block's is not shown any more.
    EXPECT_TRUE(contains(run.err, "sum:11@thread(9), stop 3\n  sum<<<(2,2), 64>>> of sum.cu:31, block (0,1,0)"))
        << run.err;
}

TEST_F(Debug, SaysWhatIsWrongWithAPlaceAndWhatWouldBeRight) {
    const Folder folder;
    folder.write("sum.cu", kSum);
    const auto says = [&](const std::string& place, int status, const std::string& words) {
        const Said run = in(folder, "run sum.cu --break '" + place + "'");
        EXPECT_EQ(run.status, status) << place << "\n" << run.err;
        EXPECT_TRUE(contains(run.err, words)) << place << "\n" << run.err;
    };
    says("summ", 2, "the program has no function summ with code; its kernels are: never, sum, wrong\n");
    says("sum:13@block(1,1),thread(0)", 3, "sum.cu:13 has no code; the next line that has is 14\n");
    says("sum:99", 2, "sum.cu has no code at line 99 or behind it; the last that has is 3");  // 34 or 35: clang has
                                                                                              // none for the bracket
    says("add.cu:3", 2, "the program has no file add.cu with code; its CUDA files are: sum.cu\n");
    says("sum@block(2)", 3,
         "--break sum@block(2) was never reached: there is no block (2,0,0): the last of sum<<<(2,2), 64>>> is "
         "(1,1,0)\n");
    says("sum:11@thread(64)", 3, "there is no thread (64,0,0): the last of sum<<<(2,2), 64>>> is (63,0,0)\n");
    says("never", 3, "--break never was never reached: the program did not launch never, but sum\n");
    says("sum@blok(1)", 2, "--break sum@blok(1): `blok(1)` is neither block(…) nor thread(…)");
    says("sum@block(1,2,3,4)", 2, "a block has at most three coordinates");
    says("sum@block(x)", 2, "`x` is no index of a block");
    says("sum@block(1", 2, "the bracket behind block is not closed");
    says("sum@block(1)thread(1)", 2, "a comma is missing before `thread(1)`");
    says("sum@thread(1),thread(1)", 2, "thread is given twice");
    says("sum:0", 2, "`0` is no line");
    says("sum.cu", 2, "which line of sum.cu");
    says("@block(1)", 2, "it names no kernel and no file");
}

TEST_F(Debug, ShowsWhereAProgramFailsAndEndsAsItDoes) {
    const Folder folder;
    folder.write("sum.cu", kSum);
    const Said wrong = in(folder, "run sum.cu --break 'wrong@thread(1)' -- w");
    EXPECT_EQ(wrong.status, 3) << wrong.err;
    EXPECT_EQ(wrong.out, "cudaErrorIllegalAddress 0 2\n");
    EXPECT_TRUE(contains(wrong.err,
                         "the program stopped by SIGSEGV\n"
                         "  wrong<<<1, 4>>> of sum.cu:28, block (0,0,0), thread (2,0,0)\n"
                         "  20\t    x[threadIdx.x] = 1;\n"))
        << wrong.err;
    const Said aborted = shell("cd '" + folder.string() + "'; (lanework run sum.cu --break sum -- a; echo $? >status)");
    EXPECT_TRUE(contains(aborted.err, "the program stopped by SIGABRT\n  29\t")) << aborted.err;
    EXPECT_EQ(contents(folder / "status"), "134\n");
}

TEST_F(Debug, TellsAtThePromptWhichThreadRunsAndWhereTheOthersStand) {
    const Folder folder;
    folder.write("sum.cu", kSum);
    folder.write(
        "commands",
        "print threadIdx\nprint blockIdx.x * 10 + blockIdx.y\nprint ((int(*)())&getpid)() > 0\nlanework threads\nnext\n"
        "next\nnext\n"
        "lanework where\nbreak 15 if threadIdx.x == 60 && blockIdx.y == 1\ncontinue\nlanework where\nbt\n"
        "delete\ncontinue\n");
    const Said run = shell("cd '" + folder.string() +
                           "'; lanework run sum.cu --gdb --break 'sum:10@block(1,0),thread(7)' <commands");
    EXPECT_EQ(run.status, 3) << run.err;
    const auto shows = [&](const std::string& text) {
        EXPECT_TRUE(contains(run.out, text)) << text << "\n" << run.out;
    };
    shows("[sum<<<(2,2), 64>>> of sum.cu:31, block (1,0,0), thread (7,0,0)]\n");
    shows("$1 = {x = 7, y = 0, z = 0}\n");
    shows("$2 = 10\n");
    // Behind the barrier it is still the same thread.
    shows(
        "14\t    int other = part[threadIdx.x ^ 1];\n(gdb) sum<<<(2,2), 64>>> of sum.cu:31, block (1,0,0), thread "
        "(7,0,0)\n");
    shows("block (0,1,0), thread (60,0,0)\n(gdb) #0  sum (in=0x");
    shows("cudaSuccess 48768 1\n");
    if (!contains(run.out, "$3 = true\n")) GTEST_SKIP() << "gdb calls no function of a program here: " << run.err;
    shows("sum<<<(2,2), 64>>> of sum.cu:31\nblock (1,0,0)\n  threads (0,0,0) to (6,0,0): waits at __syncthreads() at ");
    shows("sum.cu:12\n  thread (7,0,0): runs\n  threads (8,0,0) to (63,0,0): not begun\n");
}

TEST_F(Debug, KnowsTemplatesLambdasOtherFilesAndBothKernelsOfALine) {
    const Folder folder;
    folder.write("helper.cuh",
                 "#pragma once\n__device__ inline int helper(int i) {\n    int r = i * 2;\n    return r;\n}\n");
    folder.write("other.cu",
                 "#include \"helper.cuh\"\n__global__ void other(int* x) { x[threadIdx.x] = helper(threadIdx.x); }\n");
    folder.write("main.cu",
                 "#include \"helper.cuh\"\n"
                 "namespace a { namespace {\n"
                 "template <class T, int N> __global__ void scale(T* x) { x[threadIdx.x] *= N; }\n"
                 "} }\n"
                 "__global__ void one(int* x) { x[threadIdx.x] = 1; } __global__ void two(int* x) { *x = 2; }\n"
                 "template <class F> __global__ void apply(int* x, F f) { x[threadIdx.x] = f(threadIdx.x); }\n"
                 "__global__ void own(int* x) { x[threadIdx.x] = helper(7); }\n"
                 "extern __global__ void other(int* x);\n"
                 "int main() {\n"
                 "    int* x;\n"
                 "    cudaMalloc(&x, 4096);\n"
                 "    a::scale<int, 3><<<1, 4>>>(x);\n"
                 "    a::scale<float, 2><<<1, 4>>>((float*)x);\n"
                 "    one<<<1, 2>>>(x);\n"
                 "    two<<<1, 2>>>(x);\n"
                 "    int add = 5;\n"
                 "    apply<<<1, 3>>>(x, [=] __device__(int v) {\n"
                 "        return v + add;\n"
                 "    });\n"
                 "    own<<<1, 1>>>(x);\n"
                 "    other<<<2, 2>>>(x);\n"
                 "    return cudaDeviceSynchronize();\n"
                 "}\n");
    for (const std::string& compiler : compilers()) {
        const Said run = shell("cd '" + folder.string() + "'; export CXX=" + compiler +
                               "; lanework run main.cu other.cu --break 'a::scale@thread(1)' --break 'two:5@thread(1)' "
                               "--break 'main.cu:18@thread(2)' --break 'helper.cuh:4@block(1),thread(1)'");
        EXPECT_EQ(run.status, 0) << run.err;
        const auto shows = [&](const std::string& text) {
            EXPECT_TRUE(contains(run.err, text)) << compiler << ": " << text << "\n" << run.err;
        };
        shows("a::scale@thread(1), stop 1\n  a::scale<int, 3><<<1, 4>>> of main.cu:12, block (0,0,0), thread (1,0,0)");
        shows(
            "a::scale@thread(1), stop 2\n  a::scale<float, 2><<<1, 4>>> of main.cu:13, block (0,0,0), thread (1,0,0)");
        shows("two:5@thread(1), stop 1\n  two<<<1, 2>>> of main.cu:15");
        shows("main.cu:18@thread(2), stop 1\n  apply<<<1, 3>>> of main.cu:17, block (0,0,0), thread (2,0,0)\n  18\t");
        shows(
            "helper.cuh:4@block(1),thread(1), stop 1\n  other<<<2, 2>>> of main.cu:21, block (1,0,0), thread "
            "(1,0,0)\n");
        EXPECT_FALSE(contains(run.err, "two:5@thread(1), stop 2")) << run.err;
    }
}

TEST_F(Debug, BreaksInADeviceFunctionForOneOfTheKernelsThatCallIt) {
    const Folder folder;
    folder.write(
        "calls.cu",
        "__device__ int helper(int i) {\n    int r = i * 2;\n    return r;\n}\n"
        "__global__ void first(int* x) { x[threadIdx.x] = helper(7); }\n"
        "__global__ void second(int* x) { x[threadIdx.x] = helper(8); }\n"
        "int main() {\n    int* x;\n    cudaMalloc(&x, 64);\n    first<<<1, 1>>>(x);\n    second<<<1, 1>>>(x);\n"
        "    return cudaDeviceSynchronize();\n}\n");
    const Said run = in(folder, "run calls.cu --break second:3");
    EXPECT_TRUE(contains(run.err, "second:3, stop 1\n  second<<<1, 1>>> of calls.cu:11")) << run.err;
    EXPECT_TRUE(contains(run.err, "#0  helper (i=8)") && contains(run.err, "\n  r = 16\n")) << run.err;
    EXPECT_FALSE(contains(run.err, "stop 2")) << run.err;
}

TEST(DebugUsage, NamesWhatIsMissingAndWhatDoesNotGoTogether) {
    const Folder folder;
    folder.write("empty.cu", "int main() {}\n");
    const std::string run = "cd '" + folder.string() + "'; ";
    const Said missing = shell(run + "PATH=/nowhere lanework run empty.cu --gdb");
    EXPECT_EQ(missing.status, 77);
    EXPECT_EQ(missing.err, "lanework: --gdb and --break need gdb, which is not on the path: install the package gdb\n");
    // As gdb-minimal answers.
    folder.write("gdb", "#!/bin/sh\necho 'Python scripting is not supported in this copy of GDB.' >&2\nexit 1\n");
    const Said minimal = shell(run + "chmod +x gdb; PATH=\"$PWD:$PATH\" lanework run empty.cu --break main");
    EXPECT_EQ(minimal.status, 77);
    EXPECT_TRUE(contains(minimal.err,
                         "gdb has no Python, which --gdb and --break need: install the package gdb, not "
                         "gdb-minimal\n"))
        << minimal.err;
    expect_mistake("run empty.cu --gdb --device cuda", 2, "--gdb and --break are for simt");
    expect_mistake("run empty.cu --gdb --threads 2", 2,
                   "--threads: under gdb one thread of this machine does the work");
    expect_mistake("run empty.cu --gdb --stops 2", 2, "--stops is for --break without --gdb");
    expect_mistake("run empty.cu --stops 2", 2, "--stops is for --break");
}

}  // namespace
}  // namespace lanework
