// Kernels that run as loops between their barriers: what they compute, and what is said of them, is what it was.
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

/// A program with a kernel `k(int* p, int n)` that is launched so, and prints 64 numbers.
void write_program(const Folder& folder, const std::string& kernel, const std::string& configuration = "2, 32") {
    folder.write("a.cu", "#include <cstdio>\n" + kernel +
                             "\nint main() {\n"
                             "    int* p;\n"
                             "    cudaMallocManaged(&p, 256);\n"
                             "    for (int i = 0; i < 64; ++i) p[i] = i;\n"
                             "    k<<<" +
                             configuration +
                             ">>>(p, 50);\n"
                             "    const cudaError_t error = cudaDeviceSynchronize();\n"
                             "    if (error != cudaSuccess) return std::puts(cudaGetErrorString(error)), 1;\n"
                             "    for (int i = 0; i < 64; ++i) std::printf(\"%d \", p[i]);\n"
                             "}\n");
}

Said run_with(const Folder& folder, const std::string& compiler, const std::string& before = "") {
    return shell("cd '" + folder.string() + "'; export CXX=" + compiler + "; " + before + " lanework run a.cu");
}
template <class Test>
void with_each_compiler(const Test& test) {
    for (const std::string& compiler : compilers()) test(compiler);
}
std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(Regions, ThreadsThatLeaveAheadOfABarrierAreNotWaitedFor) {
    const Folder folder;
    write_program(folder,
                  "__global__ void k(int* p, int n) {\n"
                  "    __shared__ int s[32];\n"
                  "    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
                  "    s[t] = -1;\n"
                  "    for (int round = 0; round < 3; ++round) {\n"
                  "        if (i >= n - round) return;\n"
                  "        __syncthreads();\n"
                  "        s[t] = i + round;\n"
                  "        __syncthreads();\n"
                  "    }\n"
                  "    p[i] = 100 * s[t ^ 1];\n"
                  "}");
    std::string expected;
    for (int i = 0; i < 64; ++i) {
        const int last = std::min((i ^ 1) + 2, i == 46 ? 47 + 2 : 1 << 20);
        expected += std::to_string(i < 48 ? 100 * last : i) + " ";
    }
    with_each_compiler([&](const std::string& compiler) {
        EXPECT_EQ(run_with(folder, compiler).out, expected) << compiler;
        EXPECT_EQ(run_with(folder, compiler, "LANEWORK_SIMT_LOOPS=0").out, expected) << compiler;
    });
}

TEST(Regions, BarriersBehindACheckOfBoundsAreForThoseThatPassIt) {
    const Folder folder;
    write_program(folder,
                  "__global__ void k(int* p, int n) {\n"
                  "    __shared__ int s[32];\n"
                  "    const int t = threadIdx.x, i { static_cast<int>(blockIdx.x * blockDim.x + t) };\n"
                  "    if (i < n) {\n"
                  "        s[t] = i;\n"
                  "        __syncthreads();\n"
                  "        for (int d = 1; d < blockDim.x; d *= 2) {\n"
                  "            int before = 0;\n"
                  "            if (t >= d) before = s[t - d];\n"
                  "            __syncthreads();\n"
                  "            s[t] += before;\n"
                  "            __syncthreads();\n"
                  "        }\n"
                  "        p[i] = s[t];\n"
                  "    } else {\n"
                  "        p[i] = -i;\n"
                  "    }\n"
                  "    p[i] *= 2;\n"
                  "}");
    std::string expected;
    for (int i = 0, sum = 0; i < 64; ++i) {
        sum = i % 32 == 0 ? i : sum + i;
        expected += std::to_string(i < 50 ? 2 * sum : -2 * i) + " ";
    }
    with_each_compiler([&](const std::string& compiler) {
        EXPECT_EQ(run_with(folder, compiler).out, expected) << compiler;
        EXPECT_EQ(run_with(folder, compiler, "LANEWORK_SIMT_LOOPS=0").out, expected) << compiler;
    });
}

TEST(Regions, AFaultNamesItsThread) {
    const Folder folder;
    write_program(folder,
                  "__global__ void k(int* p, int n) {\n"
                  "    __shared__ int s[32];\n"
                  "    s[threadIdx.x] = n;\n"
                  "    __syncthreads();\n"
                  "    if (blockIdx.x == 1 && threadIdx.x == 7) p = nullptr;\n"
                  "    p[threadIdx.x] = s[0];\n"
                  "}");
    with_each_compiler([&](const std::string& compiler) {
        const Said said = run_with(folder, compiler);
        EXPECT_EQ(said.status, 1) << said.out << said.err;
        EXPECT_NE(said.err.find("thread (7,0,0) of block (1,0,0)"), std::string::npos) << said.err;
        EXPECT_NE(said.err.find("a.cu:7"), std::string::npos) << said.err;
    });
}

TEST(Regions, AnErrorIsSaidOfTheKernelAsItIsWrittenAlone) {
    const Folder folder;
    write_program(folder,
                  "__global__ void k(int* p, int n) {\n    p[0] = 1;\n    __syncthreads();\n    p[1] = \"text\";\n}");
    with_each_compiler([&](const std::string& compiler) {
        const Said said = run_with(folder, compiler);
        EXPECT_EQ(said.status, 3);
        EXPECT_EQ(count(said.err, "error:"), 1u) << said.err;
        EXPECT_NE(said.err.find("a.cu:5:"), std::string::npos) << said.err;
    });
}

/// Runs a program of this repository in regions and on fibers.
void expect_same_on_fibers(const std::string& example, const std::string& compiler) {
    const std::string run = "cd /; CXX=" + compiler + " lanework run '" LANEWORK_SOURCE_DIR "/" + example + ".cu'";
    const Said regions = shell(run), fibers = shell("export LANEWORK_SIMT_LOOPS=0; " + run);
    EXPECT_EQ(regions.status, 0) << example << regions.err;
    EXPECT_EQ(regions.out, fibers.out) << example;
    EXPECT_EQ(regions.err, fibers.err) << example;
}

TEST(Regions, WarpsExchangeWhatTheyDoOnFibers) {
    with_each_compiler(
        [](const std::string& compiler) { expect_same_on_fibers("tests/program/regions/warp_exchanges", compiler); });
}
TEST(Regions, FunctionsThatWaitGiveWhatTheyDoOnFibers) {
    with_each_compiler([](const std::string& compiler) {
        expect_same_on_fibers("tests/program/regions/functions_that_wait", compiler);
    });
}
TEST(Regions, TilesOfGroupsGiveWhatTheyDoOnFibers) {
    with_each_compiler(
        [](const std::string& compiler) { expect_same_on_fibers("tests/program/regions/tiles_of_groups", compiler); });
}
TEST(Regions, OtherExamplesGiveWhatTheyDoOnFibers) {
    for (const std::string each : {"between_barriers", "reductions_in_functions", "prefix_sum", "warp_primitives",
                                   "warp_sum", "sparse_matrix", "block_tiles"})
        expect_same_on_fibers("examples/programs/" + each, "g++");
}

TEST(Regions, LanesThatDoNotMeetAreNamedAsOnFibers) {
    for (const std::string body :
         {"p[t] = __shfl_down_sync(0xffff, t, 1);", "if (t < 20) p[t] = __shfl_sync(~0u, t, 0); __syncthreads();",
          "p[t] = __shfl_xor_sync(~0u, t, 1, n);"}) {
        const Folder folder;
        write_program(folder, "__global__ void k(int* p, int n) {\n    int t = threadIdx.x;\n    " + body + "\n}",
                      "1, 32");
        const Said regions = run_with(folder, "g++"), fibers = run_with(folder, "g++", "LANEWORK_SIMT_LOOPS=0");
        EXPECT_EQ(regions.status, 1) << body;
        EXPECT_EQ(regions.out, fibers.out) << body;
        EXPECT_EQ(regions.err, fibers.err) << body;
    }
}

TEST(Regions, LanesThatLeaveTheKernelAreNotWaitedFor) {
    for (const std::string body :
         {"if (t < 20) p[t] = __ballot_sync(~0u, t & 1);",
          "if (t >= 20) return; __syncwarp(); p[t] = __all_sync(~0u, 1) + __activemask();",
          "for (int i = t; i < n; i += 32) p[t] = __ballot_sync(~0u, i & 1);",
          "if (t == 7) return; p[t] = __shfl_sync(~0u, t, 0);", "if (t < 20) p[t] = __shfl_down_sync(~0u, t, 1);"}) {
        const Folder folder;
        write_program(folder, "__global__ void k(int* p, int n) {\n    int t = threadIdx.x;\n    " + body + "\n}");
        const Said regions = run_with(folder, "g++"), fibers = run_with(folder, "g++", "LANEWORK_SIMT_LOOPS=0");
        EXPECT_EQ(regions.status, 0) << body << regions.out << regions.err;
        EXPECT_EQ(regions.out, fibers.out) << body;
    }
}

TEST(Regions, LanesThatMeetOnFibersAloneAreAnErrorThatSaysSo) {
    const Folder folder;
    write_program(folder,
                  "__global__ void k(int* p, int n) {\n"
                  "    const int t = threadIdx.x;\n"
                  "    for (int i = 0; i < 2; ++i) {\n"
                  "        const unsigned mask = t < 8 ? (i ? 0xffffu : 0xffu) : i ? 0xff00u : 0xffffu;\n"
                  "        p[t] = __any_sync(t < 16 ? mask : 0xffff0000u, t == 3);\n"
                  "    }\n"
                  "}",
                  "1, 32");
    const Said regions = run_with(folder, "g++");
    EXPECT_EQ(run_with(folder, "g++", "LANEWORK_SIMT_LOOPS=0").status, 0);
    EXPECT_EQ(regions.status, 1) << regions.out;
    EXPECT_NE(regions.err.find("a.cu:6, where each lane's mask"), std::string::npos) << regions.err << regions.out;
    // On fibers the upper lanes have left when the lower ones' turn comes.
    write_program(folder,
                  "__global__ void k(int* p, int n) {\n"
                  "    const int t = threadIdx.x;\n"
                  "    p[t] = __shfl_sync(t < 16 ? ~0u : 0xffff0000u, t, 20);\n"
                  "}",
                  "1, 32");
    EXPECT_EQ(run_with(folder, "g++", "LANEWORK_SIMT_LOOPS=0").status, 0);
    const Said apart = run_with(folder, "g++");
    EXPECT_EQ(apart.status, 1) << apart.out;
    EXPECT_NE(apart.err.find("a.cu:4, where each lane's mask"), std::string::npos) << apart.err << apart.out;
}

TEST(Regions, WhatCannotBeCutAfterAllHasFibers) {
    const Folder folder;
    write_program(folder,
                  "struct Own { int value; Own() {} Own(const Own&) = delete; };\n"
                  "__global__ void k(int* p, int n) {\n"
                  "    __shared__ int s[32];\n"
                  "    Own own;\n"
                  "    own.value = s[threadIdx.x] = p[threadIdx.x];\n"
                  "    __syncthreads();\n"
                  "    p[threadIdx.x] = s[31 - threadIdx.x] + own.value;\n"
                  "}",
                  "1, 32");
    std::string expected;
    for (int i = 0; i < 64; ++i) expected += std::to_string(i < 32 ? 31 : i) + " ";
    with_each_compiler([&](const std::string& compiler) {
        const Said said = run_with(folder, compiler);
        EXPECT_EQ(said.out, expected) << said.err;
        EXPECT_EQ(said.err, "");
    });
}

}  // namespace
}  // namespace lanework
