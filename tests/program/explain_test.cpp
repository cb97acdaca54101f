// `lanework explain` and `profile` of programs: which launches are shown, and beside which lines.
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

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
