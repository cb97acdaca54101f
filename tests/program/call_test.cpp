// `--call`: a kernel or a function that has no program around it.
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

const std::string kScale =
    "__global__ void scale(const float* x, float* y, float factor, int n) {\n"
    "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) y[i] = factor * x[i];\n"
    "}\n";

TEST(Call, RunsAKernelAndPrintsWhatItWrote) {
    for (const std::string& compiler : compilers()) {
        const Folder folder;
        folder.write("scale.cu", kScale);
        const Said run = shell("cd '" + folder.string() + "'\nCXX=" + compiler +
                               " lanework run scale.cu --call 'scale<<<1, 64>>>(arange(10), zeros(12), 3, 10)'");
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_EQ(run.out, "zeros(12): 0 3 6 9 12 15 18 21 …; least 0, greatest 27, mean 11.25\n");
    }
}

TEST(Call, GivesEachParameterElementsOfItsOwnType) {
    const Folder folder;
    folder.write(
        "types.cu",
        "#include <cuda_fp16.h>\n"
        "struct Atom { double place[3]; int kind; };\n"
        "__global__ void types(float4* v, __half* h, bool* b, const Atom* atoms, int (*rows)[4], unsigned char* c) {\n"
        "    const int i = threadIdx.x;\n"
        "    v[i].w += atoms[i].kind, rows[i][3] = -1, b[i] = !b[i], c[i] += h[i] > __half(0) ? 1 : 0;\n"
        "}\n");
    const Said run = in(folder,
                        "run types.cu --call 'types<<<1, 2>>>(arange(2), full(2, 1.5), ones(2), zeros(2), full(2, 7), "
                        "full(2, 255))'");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out,
              "arange(2): 0 1 2 3 4 5 6 7; least 0, greatest 7, mean 3.5\n"
              "full(2, 1.5): 1.5 1.5; least 1.5, greatest 1.5, mean 1.5\n"
              "ones(2): 0 0; least 0, greatest 0, mean 0\n"
              "full(2, 7): 7 7 7 -1 7 7 7 -1; least -1, greatest 7, mean 5\n"
              "full(2, 255): 0 0; least 0, greatest 0, mean 0\n");
}

TEST(Call, DrawsTheSameNumbersInEachRun) {
    const Folder folder;
    folder.write("copy.cu",
                 "#include <cstdio>\n"
                 "template <class T> __global__ void copy(const T* a, T* b) { b[threadIdx.x] = a[threadIdx.x]; }\n");
    const auto drawn = [&](const std::string& more, const std::string& type, const std::string& values) {
        folder.write("more.cu", more + "#include \"copy.cu\"\n");
        const Said run = in(folder, "run more.cu --call 'copy<" + type + "><<<1, 4>>>(" + values + ", empty(4))'");
        EXPECT_EQ(run.status, 0) << run.err;
        return run.out;
    };
    EXPECT_EQ(drawn("", "float", "random(4)"), drawn("#include <vector>\n", "float", "random(4)"));
    EXPECT_TRUE(contains(drawn("", "int", "random(4, -3, -2)"), ": -3 -3 -3 -3;"));
    const std::string unit = drawn("", "double", "random(4, 2, 4)");
    EXPECT_TRUE(contains(unit, "least 2.") || contains(unit, "least 3.")) << unit;
    EXPECT_FALSE(contains(unit, "greatest 4")) << unit;
}

TEST(Call, TakesStatementsAndFunctionsOfTheHost) {
    const Folder folder;
    folder.write("solve.cu", kScale +
                                 "extern \"C\" void solve(const float* x, float* y, int n) {\n"
                                 "    scale<<<(n + 63) / 64, 64>>>(x, y, 2, n);\n"
                                 "}\n"
                                 "int main() { return 5; }\n");
    EXPECT_EQ(in(folder, "run solve.cu").status, 5);
    const Said solved = in(folder, "run solve.cu --call 'solve(ones(100), empty(100), 100)'");
    EXPECT_EQ(solved.status, 0) << solved.err;
    EXPECT_EQ(solved.out, "empty(100): 2 2 2 2 2 2 2 2 …; least 2, greatest 2, mean 2\n");
    const Said twice = in(folder, "run solve.cu --call 'float* x = ones(3); solve(x, x, 3); solve(x, x, 3)'");
    EXPECT_EQ(twice.out, "ones(3): 4 4 4; least 4, greatest 4, mean 4\n") << twice.err;
}

/// As NumPy's own files begin, in version 1.0 of their format.
std::string numpy_header(const std::string& type, const std::string& fortran, const std::string& shape) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
    header.resize(128 - 10 - 1, ' ');
    return std::string("\x93NUMPY\x01\0\x76\0", 10) + header + "\n";
}

TEST(Call, ReadsAndWritesFilesOfNumPy) {
    const Folder folder;
    folder.write("copy.cu",
                 "#include <cuda_fp16.h>\n"
                 "template <class T> __global__ void copy(const T* a, T* b) { b[threadIdx.x] = a[threadIdx.x]; }\n");
    const auto copy = [&](const std::string& type, const std::string& from, const std::string& more) {
        return in(folder, "run copy.cu --call '" + type + "* y = empty(6); copy<" + type + "><<<1, 6>>>(" + from +
                              ", y)" + more + "'");
    };
    ASSERT_EQ(copy("float", "arange(6)", "; save(\"y.npy\", y, 6)").status, 0);
    const std::string written = contents(folder / "y.npy");
    ASSERT_EQ(written.size(), 128 + 6 * sizeof(float)) << "elements begin at a multiple of 64 bytes";
    EXPECT_EQ(written.substr(0, 128), numpy_header("<f4", "False", "(6,)"));
    folder.write("h.npy", numpy_header("<f2", "False", "(6,)") + std::string("\0\0\0\x38\0\x3c\0\x3e\0\x40\0\x41", 12));
    folder.write("f.npy", numpy_header("<f4", "True", "(3, 2)") + std::string(24, '\0'));
    EXPECT_TRUE(copy("float", "load(\"y.npy\")", "").out.starts_with("empty(6): 0 1 2 3 4 5;"));
    EXPECT_TRUE(copy("__half", "load(\"h.npy\")", "").out.starts_with("empty(6): 0 0.5 1 1.5 2 2.5;"));
    const auto refused = [&](const std::string& type, const std::string& file) {
        const Said run = copy(type, "load(\"" + file + "\")", "");
        EXPECT_EQ(run.status, 6);
        return run.err;
    };
    folder.write("cut.npy", numpy_header("<f4", "False", "(6,)") + std::string(16, '\0'));
    EXPECT_EQ(refused("float", "cut.npy"), "cut.npy: is cut off\n");
    EXPECT_EQ(refused("double", "y.npy"), "y.npy: holds elements of type <f4, and the parameter's are f8\n");
    EXPECT_EQ(refused("int", "y.npy"), "y.npy: holds elements of type <f4, and the parameter's are i4\n");
    EXPECT_EQ(refused("float", "f.npy"), "f.npy: is in Fortran's order; save numpy.ascontiguousarray(…)\n");
    EXPECT_EQ(refused("float", "copy.cu"), "copy.cu: is no NumPy file (.npy)\n");
    EXPECT_EQ(refused("float", "none.npy"), "none.npy: there is no such file, or it cannot be read\n");
}

TEST(Call, IsCheckedExplainedAndProfiled) {
    const Folder folder;
    folder.write("scale.cu", kScale);
    const Said good = in(folder, "check scale.cu --leaks --call 'scale<<<1, 64>>>(random(50), empty(64), 3, 50)'");
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_EQ(good.err, "scale.cu: no findings in 1 launch of 1 kernel\n");
    const Said bad = in(folder, "check scale.cu --call 'scale<<<1, 64>>>(random(50), empty(64), 3, 60)'");
    EXPECT_EQ(bad.status, 1) << bad.err;
    EXPECT_TRUE(contains(bad.err, "out_of_bounds  scale.cu:3")) << bad.err;
    const Said unwritten = in(folder, "check scale.cu --call 'scale<<<1, 64>>>(empty(50), empty(50), 3, 50)'");
    EXPECT_EQ(unwritten.status, 1);
    EXPECT_TRUE(contains(unwritten.err, "scale.cu:3")) << unwritten.err;
    const std::string call = " --as-written --call 'scale<<<4, 64>>>(random(256), empty(256), 3, 256)'";
    const Said explained = in(folder, "explain scale.cu" + call);
    EXPECT_EQ(explained.status, 0) << explained.err;
    EXPECT_TRUE(contains(explained.out, "scale  grid 4, block 64  --call:1")) << explained.out;
    const Said profiled = in(folder, "profile scale.cu" + call);
    EXPECT_EQ(profiled.status, 0) << profiled.err;
    EXPECT_TRUE(contains(profiled.out, "\nscale.cu\n\nscale\n")) << profiled.out;
}

TEST(Call, SaysWhatIsWrongOfTheStatements) {
    const Folder folder;
    folder.write("scale.cu", kScale);
    const auto said = [&](const std::string& words, int status) {
        const Said run = in(folder, words);
        EXPECT_EQ(run.status, status) << run.err;
        EXPECT_FALSE(contains(run.err, "/programs/calls/")) << "a file of ours: " << run.err;
        return run.err;
    };
    const std::string few = said("run scale.cu --call 'scale<<<1, 64>>>(random(8), zeros(8), 3)'", 3);
    EXPECT_TRUE(few.starts_with("--call:1: error: too few arguments")) << few;
    EXPECT_TRUE(
        contains(said("run scale.cu --call 'scale<<<1, 64>>>(random(8), zeros(8), 3, 8'", 3), "--call:1: error: "));
    EXPECT_EQ(said("run --call 'scale<<<1, 64>>>(random(8), zeros(8), 3, 8)'", 2),
              "lanework: --call calls what a CUDA file holds: name the file\n");
    EXPECT_EQ(said("explain reduce --call 'x'", 2), "lanework: --call calls what a CUDA file holds: name the file\n");
    EXPECT_EQ(said("check scael.cu --call 'x'", 6), "lanework: scael.cu: there is no such file\n");
    EXPECT_TRUE(
        contains(said("run scale.cu --call 'scale<<<1, 2048>>>(random(8), zeros(8), 3, 8)'", 1), "CUDA: invalid"));
    folder.write("pair.cu", "struct Pair { float x; int y; };\n__global__ void pair(Pair* p) { p->y = 1; }\n");
    EXPECT_EQ(said("run pair.cu --call 'pair<<<1, 1>>>(random(4))'", 2),
              "random(4): what is no number can be zeros(…) or empty(…) alone; write a main that fills it\n");
    EXPECT_EQ(said("run scale.cu --call 'scale<<<1, 64>>>(ones(-1), zeros(8), 3, 8)'", 2),
              "ones(-1): is no number of elements that memory holds\n");
    EXPECT_EQ(said("run scale.cu --call 'scale<<<1, 64>>>(ones(1ul << 62), zeros(8), 3, 8)'", 2),
              "ones(1ul << 62): is no number of elements that memory holds\n");
    EXPECT_TRUE(
        contains(said("run scale.cu --call 'scale<<<1, 64>>>(full(8), zeros(8), 3, 8)'", 3), "--call:1: error:"));
    EXPECT_TRUE(
        contains(said("run scale.cu --call 'scale<<<1, 64>>>(zeros(8, 1), zeros(8), 3, 8)'", 3), "--call:1: error:"));
    folder.write("my kernel.cu", kScale);
    const std::string blank = said("run 'my kernel.cu' --call 'scale<<<1, 64>>>(random(8), zeros(8), 3)'", 3);
    EXPECT_TRUE(blank.ends_with("\nlanework: --call does not compile\n")) << blank;
}

TEST(Call, LeavesTheNamesOfTheFileToItsOwnFunctions) {
    const Folder folder;
    folder.write("names.cu",
                 "#define X 4\n#define T float\n"
                 "__global__ void load(int* out) { out[threadIdx.x] = X; }\n"
                 "void load(float* out, int n) { cudaMemset(out, 0, n * sizeof(T)); }\n"
                 "__global__ void zeros(long long* out) { out[threadIdx.x] = 9007199254740993; }\n"
                 "struct Queue { bool empty() { return true; } };\n");
    const auto printed = [&](const std::string& call) {
        const Said run = in(folder, "run names.cu -Xcompiler -Wall,-Werror --call '" + call + "'");
        EXPECT_EQ(run.status, 0) << run.err;
        return run.out;
    };
    EXPECT_EQ(printed("load<<<1, 2>>>(empty(2))"), "empty(2): 4 4; least 4, greatest 4, mean 4\n");
    EXPECT_EQ(printed("load(ones(2), 2)  // the host function"), "ones(2): 0 0; least 0, greatest 0, mean 0\n");
    EXPECT_EQ(printed("zeros<<<1, 1>>>(full(1, 2)); Queue q; if (!q.empty()) return 1"),
              "full(1, 2): 9007199254740993; least 9007199254740993, greatest 9007199254740993, mean 9.0072e+15\n");
    EXPECT_EQ(printed("auto x = arange(2); load(x, 1); load(x, 2); printf(\"zeros(\")"),
              "zeros(arange(2): 0 0; least 0, greatest 0, mean 0\n")
        << "an array with a name is one array";
}

TEST(Call, IsProposedForAFileWithoutAMainAndThenRuns) {
    const Folder folder;
    folder.write("kernel.cu", kScale);
    const Said alone = in(folder, "check kernel.cu");
    EXPECT_EQ(alone.status, 3);
    const std::string call = "--call 'scale<<<4, 256>>>(random(1024), zeros(1024), 1, 1024)'";
    EXPECT_EQ(
        alone.err,
        "lanework: kernel does not link: it has no main; name the file that has it, or run a kernel without one: " +
            call + "\n");
    EXPECT_EQ(in(folder, "check kernel.cu " + call).err, "kernel.cu: no findings in 1 launch of 1 kernel\n");
    folder.write("square.cu",
                 "__global__ void square(float* a, const float* __restrict__ b, unsigned w, unsigned h) {\n"
                 "    a[threadIdx.y * w + threadIdx.x] = b[0] + h;\n}\n");
    EXPECT_TRUE(contains(in(folder, "run square.cu").err,
                         "--call 'square<<<dim3(4, 4), dim3(8, 8)>>>(zeros(1024), random(1024), 32, 32)'"));
    folder.write("unknown.cu", "struct S;\n__global__ void unknown(S* s, void* p, cudaTextureObject_t t) {}\n");
    EXPECT_EQ(in(folder, "run unknown.cu").err,
              "lanework: unknown does not link: it has no main; name the file that has it\n");
    folder.write("point.cu", "struct Point { int x; };\n__global__ void point(float* p, Point q, float4 v) {}\n");
    EXPECT_FALSE(contains(in(folder, "run point.cu").err, "--call")) << "what it would be given is not known";
    folder.write("inner.cu", "namespace n { __global__ void inner(float* p) {} }\n");
    EXPECT_FALSE(contains(in(folder, "run inner.cu").err, "--call")) << "it has another name";
    EXPECT_FALSE(contains(in(folder, "cc kernel.cu").err, "--call")) << "cc has none";
}

}  // namespace
}  // namespace lanework
