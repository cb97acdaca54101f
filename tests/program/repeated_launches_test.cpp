// `lanework check` does not run a launch again that would do what an earlier one did, and finds in all others what it
// would find anyway.
#include <regex>
#include <tuple>

#include "tests/program/programs.hpp"

namespace lanework {
namespace {

struct Checked {
    Said run;
    /// Of the launches.
    int equal = 0;
};

Checked check(const std::string& program, const std::string& options = "") {
    const Folder folder;
    folder.write("a.cu", program);
    Checked checked{in(folder, "check a.cu " + options)};
    std::smatch found;
    if (std::regex_search(checked.run.err, found, std::regex("([0-9]+) of them equal to an earlier one")))
        checked.equal = std::stoi(found[1]);
    return checked;
}

/// `in` holds 0 … 63, and every launch but those behind `between` is `copy<<<2, 32>>>(in, out)`.
std::string copies(const std::string& between, const std::string& declarations = "",
                   const std::string& allocate = "cudaMalloc(&in, 256); ") {
    return "#include <cstdio>\n" + declarations +
           "__global__ void copy(const int* in, int* out) { out[blockIdx.x * 32 + threadIdx.x] = "
           "in[blockIdx.x * 32 + threadIdx.x]; }\n"
           "__global__ void set(int* at, int value) { *at = value; }\n"
           "int main() {\n"
           "    int host[64], *in, *out;\n"
           "    for (int i = 0; i < 64; ++i) host[i] = i;\n"
           "    " +
           allocate +
           "cudaMalloc(&out, 256);\n"
           "    cudaMemcpy(in, host, 256, cudaMemcpyDefault);\n"
           "    copy<<<2, 32>>>(in, out);\n"
           "    " +
           between +
           "\n"
           "    copy<<<2, 32>>>(in, out);\n"
           "    cudaMemcpy(host, out, 256, cudaMemcpyDefault);\n"
           "    int sum = 0;\n"
           "    for (int i = 0; i < 64; ++i) sum += host[i];\n"
           "    std::printf(\"%d\\n\", sum);\n"
           "}\n";
}

void expect_copies(const std::string& between, int equal, const std::string& sum, const std::string& declarations = "",
                   const std::string& allocate = "cudaMalloc(&in, 256); ") {
    const Checked checked = check(copies(between, declarations, allocate));
    EXPECT_EQ(checked.equal, equal) << between << "\n" << checked.run.err;
    EXPECT_EQ(checked.run.out, sum + "\n") << between;
    EXPECT_EQ(checked.run.status, 0) << between << "\n" << checked.run.err;
}

TEST(RepeatedLaunches, AreCountedAndNotRunAgain) {
    const Checked checked = check(copies("for (int i = 0; i < 998; ++i) copy<<<2, 32>>>(in, out);"));
    EXPECT_TRUE(
        contains(checked.run.err, "no findings in 1000 launches of 1 kernel, 999 of them equal to an earlier one"))
        << checked.run.err;
    EXPECT_EQ(checked.run.out, "2016\n");
}

// What they wrote over is known from the second launch on.
TEST(RepeatedLaunches, WriteWhatSomebodyElseWroteOver) {
    const std::string clear = "cudaMemset(out, 0, 256); ", spoil = "set<<<1, 1>>>(out + 5, 1000); ";
    expect_copies(clear, 0, "2016");
    expect_copies(clear + "copy<<<2, 32>>>(in, out); " + clear, 1, "2016");
    expect_copies(spoil + "copy<<<2, 32>>>(in, out); " + spoil, 1, "2016");
}

// A store to a bit-field is told as one of all that the bit-field lies in.
TEST(RepeatedLaunches, KeepTheBitsBesideABitField) {
    const auto program = [](const std::string& type, const std::string& between) {
        return "#include <cstdio>\nstruct Some { " + type +
               " a : 3, b : 5; };\n"
               "__global__ void kernel(Some* data) { data[threadIdx.x].a = 1; }\n"
               "int main() {\n"
               "    Some host[32], *data;\n"
               "    cudaMalloc(&data, sizeof host);\n"
               "    for (const unsigned b : {5, 17, 17, 5, 5}) {\n"
               "        for (Some& each : host) each.a = 0, each.b = b;\n"
               "        cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);\n"
               "        kernel<<<1, 32>>>(data);\n        " +
               between +
               "\n        cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);\n"
               "        std::printf(\"%u %u, \", unsigned(host[3].a), unsigned(host[3].b));\n"
               "    }\n"
               "}\n";
    };
    for (const std::string type : {"unsigned", "unsigned short", "unsigned char"}) {
        EXPECT_EQ(check(program(type, "")).run.out, "1 5, 1 17, 1 17, 1 5, 1 5, ") << type;
        const Checked again = check(program(type, "kernel<<<1, 32>>>(data);"));
        EXPECT_EQ(again.run.out, "1 5, 1 17, 1 17, 1 5, 1 5, ") << type;
        EXPECT_GE(again.equal, 5) << type << again.run.err;
    }
}

TEST(RepeatedLaunches, OfAKernelThatNeverRepeatsAreNotKeptForLong) {
    const auto program = [](const std::string& launches) {
        return program_with("__global__ void kernel(int* data, int value) { data[threadIdx.x] = value; }",
                            "for (int i = 0; i < " + launches +
                                "; ++i) kernel<<<1, 32>>>(data, i);\n"
                                "    for (int i = 0; i < 10; ++i) kernel<<<1, 32>>>(data, -1);");
    };
    EXPECT_EQ(check(program("20")).equal, 9);
    EXPECT_EQ(check(program("40")).equal, 0);
}

TEST(RepeatedLaunches, OneByteOfTheirInputsMakesThemOthers) {
    expect_copies("", 1, "2016");
    expect_copies("cudaMemset(in + 63, 1, 1);", 0, "1954");
    expect_copies("cudaMemcpy(in + 3, host + 63, 1, cudaMemcpyHostToDevice);", 0, "2076");
    expect_copies("set<<<1, 1>>>(in + 63, 1);", 0, "1954");
    expect_copies("cudaDeviceSynchronize(); in[63] = 1;", 0, "1954", "", "cudaMallocManaged(&in, 256); ");
    expect_copies("cudaDeviceSynchronize(); in[63] = 1;", 0, "1954", "", "cudaMallocHost(&in, 256); ");
    expect_copies("", 1, "2016", "", "cudaMallocManaged(&in, 256); ");
    expect_copies("", 1, "2016", "", "cudaMallocHost(&in, 256); ");
}

TEST(RepeatedLaunches, AnInputThatHasItsOldValueAgainIsNoOther) {
    const std::string other = "set<<<1, 1>>>(in + 63, 1); copy<<<2, 32>>>(in, out); set<<<1, 1>>>(in + 63, 63); ";
    expect_copies(other + "copy<<<2, 32>>>(in, out); " + other, 2, "2016");
}

TEST(RepeatedLaunches, OtherArgumentsAndShapesMakeThemOthers) {
    expect_copies("copy<<<1, 64>>>(in, out);", 1, "2016");
    expect_copies("copy<<<1, 32>>>(in, out); copy<<<1, 32>>>(in + 1, out); copy<<<1, 32>>>(in, out);", 1, "2016");
    expect_copies("copy<<<2, 32, 64>>>(in, out);", 1, "2016");
}

TEST(RepeatedLaunches, VariablesOfTheDeviceAreInputs) {
    const auto program = [](const std::string& variable, const std::string& between) {
        return "#include <cstdio>\n" + variable +
               "\n__global__ void times(int* out) { out[threadIdx.x] = threadIdx.x * factor; }\n"
               "__global__ void other(int* out) { *out = 1; }\n"
               "int main() {\n"
               "    int *out, four = 4, host[32];\n"
               "    cudaMalloc(&out, 128);\n"
               "    times<<<1, 32>>>(out);\n    " +
               between +
               "\n    times<<<1, 32>>>(out);\n"
               "    cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);\n"
               "    std::printf(\"%d\\n\", host[31]);\n"
               "}\n";
    };
    for (const std::string variable :
         {"__device__ int factor = 3;", "__constant__ int factor = 3;", "__managed__ int factor = 3;"}) {
        const Checked same =
            check(program(variable, "other<<<1, 1>>>(out); times<<<1, 32>>>(out); other<<<1, 1>>>(out);"));
        EXPECT_EQ(same.equal, 1) << variable << same.run.err;
        EXPECT_EQ(same.run.out, "93\n") << variable;
        const Checked changed = check(program(variable, "cudaMemcpyToSymbol(factor, &four, 4);"));
        EXPECT_EQ(changed.equal, 0) << variable << changed.run.err;
        EXPECT_EQ(changed.run.out, "124\n") << variable;
    }
}

TEST(RepeatedLaunches, ThatReadWhatTheyWriteAreKnownByWhatTheyFound) {
    const auto program = [](const std::string& before_each) {
        return program_with(
            "__global__ void kernel(int* data) { atomicAdd(data, threadIdx.x); data[1 + threadIdx.x % 2 * 2] = 7; }",
            "for (int i = 0; i < 10; ++i) { " + before_each +
                " kernel<<<2, 32>>>(data); }\n"
                "int sum; cudaMemcpy(&sum, data, 4, cudaMemcpyDeviceToHost); std::printf(\"%d \", sum);");
    };
    const Checked growing = check(program(""));
    EXPECT_EQ(growing.equal, 0) << growing.run.err;
    EXPECT_EQ(growing.run.out.substr(0, 5), "9920 ");
    // What the first one updated is not known as it was; the second one is kept, and eight are as that.
    const Checked cleared = check(program("cudaMemset(data, 0, 4);"));
    EXPECT_EQ(cleared.equal, 8) << cleared.run.err;
    EXPECT_EQ(cleared.run.out.substr(0, 4), "992 ");
}

TEST(RepeatedLaunches, OfAWholeProcessAreKnownByTheirTurn) {
    const Checked checked = check(
        program_with("__global__ void kernel(int* data) { data[threadIdx.x] = data[threadIdx.x] * 3 + 1; }",
                     "for (int trial = 0; trial < 5; ++trial) {\n"
                     "        cudaMemset(data, 0, 256);\n"
                     "        for (int i = 0; i < 4; ++i) kernel<<<1, 64>>>(data);\n    }\n"
                     "int last; cudaMemcpy(&last, data + 63, 4, cudaMemcpyDeviceToHost); std::printf(\"%d \", last);"));
    EXPECT_EQ(checked.equal, 15) << checked.run.err;
    EXPECT_EQ(checked.run.out.substr(0, 3), "40 ");
}

TEST(RepeatedLaunches, ARaceOfALaterOneIsFound) {
    const auto program = [](const std::string& choose) {
        return program_with(
            "__global__ void kernel(int* data, const int* racy) {\n"
            "    if (*racy) data[0] = blockIdx.x;\n"
            "    else data[blockIdx.x * 32 + threadIdx.x] = 1;\n}",
            "int* racy; cudaMallocManaged(&racy, 4); *racy = 0;\n"
            "    for (int i = 0; i < 100; ++i) { " +
                choose +
                " kernel<<<2, 32>>>(data, racy); "
                "cudaDeviceSynchronize(); }");
    };
    const Checked right = check(program(""));
    EXPECT_EQ(right.run.status, 0) << right.run.err;
    EXPECT_EQ(right.equal, 99) << right.run.err;
    const Checked racy = check(program("if (i == 90) *racy = 1;"));
    EXPECT_EQ(racy.run.status, 1) << racy.run.err;
    EXPECT_TRUE(contains(racy.run.err, "error  race") && contains(racy.run.err, "a.cu:3")) << racy.run.err;
    EXPECT_EQ(racy.equal, 98) << racy.run.err;
}

// What is told of a hazard is how often it happened by the time when the last one was found.
TEST(RepeatedLaunches, CountWhatTheEarlierOneCounted) {
    const auto program = [](const std::string& make_another) {
        return program_with(
            "__global__ void kernel(int* data, int) { if (threadIdx.x == 0) data[0] = blockIdx.x; }\n"
            "__global__ void last(int* data) { if (threadIdx.x == 0) data[1] = blockIdx.x; }",
            "for (int i = 0; i < 5; ++i) kernel<<<2, 32>>>(data, " + make_another + "); last<<<2, 32>>>(data);");
    };
    Checked repeated = check(program("0")), others = check(program("i"));
    EXPECT_EQ(repeated.equal, 4) << repeated.run.err;
    EXPECT_EQ(others.equal, 0) << others.run.err;
    // But for the addresses.
    const auto findings = [](const Said& run) {
        return std::regex_replace(run.err.substr(run.err.find('\n')), std::regex("0x[0-9a-f]+"), "");
    };
    EXPECT_EQ(findings(repeated.run), findings(others.run));
    EXPECT_TRUE(contains(repeated.run.err, "times in all")) << repeated.run.err;
}

TEST(RepeatedLaunches, ReadsOfWhatNobodyWroteAreCountedAsLongAsNobodyWrites) {
    const auto program = [](const std::string& before_each) {
        return program_with(
            "__global__ void kernel(const int* data, int* sum) { sum[threadIdx.x] = data[threadIdx.x] + 1; }",
            "int *sum, *fresh; cudaMalloc(&sum, 128); cudaMalloc(&fresh, 128);\n"
            "    for (int i = 0; i < 5; ++i) { " +
                before_each + " kernel<<<1, 32>>>(fresh, sum); }");
    };
    const Checked alone = check(program(""));
    EXPECT_EQ(alone.equal, 4) << alone.run.err;
    EXPECT_TRUE(contains(alone.run.err, "uninitialised_read")) << alone.run.err;
    const Checked written = check(program("if (i == 2) cudaMemcpy(fresh, fresh, 64, cudaMemcpyDeviceToDevice);"));
    EXPECT_EQ(written.equal, 3) << written.run.err;
}

TEST(RepeatedLaunches, MemoryThatWasFreedIsNotTheSameMemory) {
    const Checked checked = check(
        program_with("__global__ void kernel(const int* data, int* sum) { sum[threadIdx.x] = data[threadIdx.x] + 1; }",
                     "int* sum; cudaMalloc(&sum, 128); kernel<<<1, 32>>>(data, sum);\n"
                     "    cudaFree(data); kernel<<<1, 32>>>(data, sum); cudaMalloc(&data, 256);"));
    EXPECT_EQ(checked.equal, 0) << checked.run.err;
    EXPECT_TRUE(contains(checked.run.err, "use_after_free")) << checked.run.err;
}

TEST(RepeatedLaunches, WhatReachesBeyondMemoryIsRunAgain) {
    const std::tuple<const char*, const char*> kernels[] = {
        {"clock", "data[threadIdx.x] = clock64() != 0;"},
        {"printf", "data[threadIdx.x] = 1; if (threadIdx.x == 0) printf(\"printed\\n\");"},
        {"printf of a number", "data[threadIdx.x] = 1; if (threadIdx.x == 0) printf(\"printed %d\\n\", 3);"},
        {"malloc", "int* mine = (int*)malloc(4); *mine = 1; data[threadIdx.x] = *mine; free(mine);"},
        {"polling of the host", "if (threadIdx.x == 0) data[0] = *(volatile int*)mapped;"},
        {"shared memory that nobody wrote", "__shared__ int part[32]; data[threadIdx.x] = part[threadIdx.x] & 1;"},
    };
    for (const auto& [what, body] : kernels) {
        const std::string kernel = "__global__ void kernel(int* data, int* mapped) { " + std::string(body) + " }";
        const Checked checked = check(program_with(kernel,
                                                   "int* mapped; cudaMallocHost(&mapped, 4); *mapped = 0;\n"
                                                   "    for (int i = 0; i < 4; ++i) kernel<<<1, 32>>>(data, mapped);"));
        EXPECT_EQ(checked.equal, 0) << what << checked.run.err;
        if (contains(body, "printed")) {
            const std::string& out = checked.run.out;
            std::size_t lines = 0;
            for (std::size_t at = 0; (at = out.find("printed", at)) != out.npos; ++at) ++lines;
            EXPECT_EQ(lines, 4u) << out;
        }
    }
}

TEST(RepeatedLaunches, TexturesAreReadAgain) {
    const Checked checked = check(
        "#include <cstdio>\n"
        "__global__ void kernel(cudaTextureObject_t from, int* out) { out[threadIdx.x] = tex1Dfetch<int>(from, "
        "threadIdx.x); }\n"
        "int main() {\n"
        "    int *in, *out, host[32];\n"
        "    cudaMalloc(&in, 128); cudaMalloc(&out, 128); cudaMemset(in, 0, 128);\n"
        "    cudaResourceDesc resource{};\n"
        "    resource.resType = cudaResourceTypeLinear;\n"
        "    resource.res.linear = {in, cudaCreateChannelDesc<int>(), 128};\n"
        "    cudaTextureDesc description{};\n"
        "    cudaTextureObject_t texture;\n"
        "    cudaCreateTextureObject(&texture, &resource, &description, nullptr);\n"
        "    kernel<<<1, 32>>>(texture, out);\n"
        "    cudaMemset(in, 1, 128);\n"
        "    kernel<<<1, 32>>>(texture, out);\n"
        "    cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);\n"
        "    std::printf(\"%d\\n\", host[5]);\n"
        "}\n");
    EXPECT_EQ(checked.equal, 0) << checked.run.err;
    EXPECT_EQ(checked.run.out, "16843009\n") << checked.run.err;
}

TEST(RepeatedLaunches, AKernelThatAPointerLeadsToIsKnownByItsAddress) {
    const Checked checked = check(program_with(
        "__global__ void one(int* data) { data[threadIdx.x] = 1; }\n"
        "__global__ void two(int* data) { data[threadIdx.x] = 2; }",
        "for (int i = 0; i < 8; ++i) { void (*kernel)(int*) = i % 2 ? two : one; kernel<<<1, 32>>>(data); }\n"
        "int last; cudaMemcpy(&last, data, 4, cudaMemcpyDeviceToHost); std::printf(\"%d \", last);"));
    EXPECT_EQ(checked.equal, 4) << checked.run.err;
    EXPECT_EQ(checked.run.out.substr(0, 2), "2 ");
}

// What is compiled unwatched is not seen, and tells here how often the kernel ran.
TEST(RepeatedLaunches, AreNotRunAgainBehindOneThatIsExplained) {
    const Folder folder;
    folder.write("a.cu",
                 program_with("__device__ int runs;\n"
                              "__attribute__((noinline, no_sanitize_thread)) __device__ void run() { ++runs; }\n"
                              "__global__ void kernel(int* data) { data[0] = 1; run(); }",
                              "for (int i = 0; i < 10; ++i) kernel<<<1, 1>>>(data);\n"
                              "    int all; cudaMemcpyFromSymbol(&all, runs, 4);\n"
                              "    std::printf(\"ran %d times\\n\", all);"));
    // Nothing is known of launches before the one that is explained.
    for (const auto& [which, runs] : {std::pair("", "ran 1 times"), std::pair(" --launch 4", "ran 4 times")}) {
        const Said run = in(folder, "explain a.cu" + std::string(which));
        EXPECT_EQ(run.status, 0) << which << run.err;
        EXPECT_TRUE(contains(run.out, runs)) << which << run.out;
    }
}

TEST(RepeatedLaunches, DrawnSchedulesRunThemAll) {
    const Checked checked = check(copies("for (int i = 0; i < 8; ++i) copy<<<2, 32>>>(in, out);"), "--schedule 7");
    EXPECT_EQ(checked.equal, 0) << checked.run.err;
    EXPECT_EQ(checked.run.out, "2016\n");
}

}  // namespace
}  // namespace lanework
