// What NVIDIA's compute-sanitizer shows its tools with, in programs of our own: `check` finds each, with its line.
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

/// What `check` says of a program, which ends with `status`.
std::string findings(const std::string& program, int status = 1) {
    const Folder folder;
    folder.write("a.cu", program);
    const Said run = in(folder, "check a.cu");
    EXPECT_EQ(run.status, status) << run.err;
    return run.err;
}

bool says(const std::string& all, const std::string& rule, int line) {
    return contains(all, rule + "  a.cu:" + std::to_string(line));
}

// memcheck
TEST(Hazards, OfMemoryAreNamedInTheFunctionThatAKernelCalls) {
    const std::string said =
        findings(program_with("__device__ void store(int* to) { *to = 42; }\n"
                              "__global__ void kernel(int* data) {\n"
                              "    store(data + 64 + threadIdx.x);\n"
                              "}"));
    EXPECT_TRUE(says(said, "out_of_bounds", 2)) << said;
    EXPECT_TRUE(contains(said, "in store, called by kernel")) << said;
}

TEST(Hazards, OfMemoryAreAddressesThatAreNoMultipleOfTheWidth) {
    const std::string said =
        findings(program_with("__global__ void kernel(int* data) {\n"
                              "    *(int*)((char*)data + 1 + 4 * threadIdx.x) = 42;\n"
                              "}"));
    EXPECT_TRUE(says(said, "misaligned_access", 3)) << said;
}

TEST(Hazards, OfMemoryAreAccessesBehindItsFree) {
    const std::string said = findings(
        "__global__ void kernel(int* data) {\n"
        "    data[threadIdx.x] = 1;\n"
        "}\n"
        "int main() {\n"
        "    int *kept, *freed;\n"
        "    cudaMalloc(&kept, 64);\n    cudaMalloc(&freed, 64);\n    cudaFree(freed);\n"
        "    kernel<<<1, 4>>>(freed);\n    cudaDeviceSynchronize();\n}\n");
    EXPECT_TRUE(says(said, "use_after_free", 2)) << said;
}

// initcheck
TEST(Hazards, OfValuesAreBytesThatAMemsetLeftOut) {
    const std::string said = findings(
        "__global__ void add_to_vector(float* v) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    v[i] += i;\n"
        "}\n"
        "int main() {\n"
        "    float* v;\n"
        "    cudaMalloc(&v, 256 * sizeof(float));\n    cudaMemset(v, 0, 256);  // bytes, not elements\n"
        "    add_to_vector<<<2, 128>>>(v);\n    cudaDeviceSynchronize();\n    cudaFree(v);\n}\n");
    EXPECT_TRUE(says(said, "uninitialised_read", 3)) << said;
    EXPECT_TRUE(contains(said, "192 times in all")) << said;
}

// racecheck
TEST(Hazards, OfSharedMemoryAreABarrierThatIsMissingAmongWarps) {
    const std::string said =
        findings(program_with("__global__ void kernel(int* data) {\n"
                              "    __shared__ int values[128];\n"
                              "    values[threadIdx.x] = data[threadIdx.x % 64];\n"
                              "    if (threadIdx.x != 0) return;\n"
                              "    for (int i = 0; i < 128; ++i)\n"
                              "        data[0] += values[i];\n"
                              "}",
                              "kernel<<<1, 128>>>(data);"));
    EXPECT_TRUE(says(said, "race", 4)) << said;
    EXPECT_TRUE(contains(said, "a.cu:7")) << said;
}

TEST(Hazards, OfSharedMemoryAreALackOfSyncwarpAmongLanes) {
    const std::string said =
        findings(program_with("__global__ void kernel(int* data) {\n"
                              "    __shared__ int values[32];\n"
                              "    values[threadIdx.x] = threadIdx.x;\n"
                              "    if (threadIdx.x != 0) return;\n"
                              "    for (int i = 0; i < 32; ++i)\n"
                              "        data[0] += values[i];\n"
                              "}",
                              "kernel<<<1, 32>>>(data);"));
    EXPECT_TRUE(says(said, "warp_synchrony", 4)) << said;
}

// synccheck
TEST(Hazards, OfBarriersAreThreadsThatBranchAroundThem) {
    const std::string said =
        findings(program_with("__global__ void kernel(int* data) {\n"
                              "    __shared__ int sum;\n"
                              "    if (threadIdx.x == 0) sum = 0;\n"
                              "    __syncthreads();\n"
                              "    if (threadIdx.x < 16) {\n"
                              "        atomicAdd(&sum, data[threadIdx.x]);\n"
                              "        __syncthreads();\n"
                              "    }\n"
                              "}",
                              "kernel<<<1, 64>>>(data);"));
    EXPECT_TRUE(says(said, "divergent_barrier", 8)) << said;
}

TEST(Hazards, OfBarriersAreMasksThatLackTheCaller) {
    const std::string said =
        findings(program_with("__global__ void kernel(int* data) {\n"
                              "    const unsigned mask = __ballot_sync(~0u, threadIdx.x < 16);\n"
                              "    __syncwarp(mask);\n"
                              "    data[threadIdx.x] = 1;\n"
                              "}",
                              "kernel<<<1, 32>>>(data);"));
    EXPECT_TRUE(says(said, "launch_failure", 4)) << said;
    EXPECT_TRUE(contains(said, "mask 0x0000ffff, which does not name it")) << said;
}

// Orders of atomic operations
/// Block 0 writes data[1] and hands over by data[0]; block 1 waits for it and reads.
std::string handed_over(const std::string& set, const std::string& wait) {
    return program_with(
        "__global__ void kernel(int* data) {\n"
        "    if (threadIdx.x != 0) return;\n"
        "    if (blockIdx.x == 0) {\n"
        "        data[1] = 42;\n"
        "        " +
        set +
        "\n"
        "    } else {\n"
        "        int seen = 0;\n"
        "        do { " +
        wait +
        " } while (seen == 0);\n"
        "        data[2] = data[1];\n"
        "    }\n"
        "}");
}

TEST(Hazards, OfFlagsAreRelaxedOnes) {
    const auto set = [](const std::string& order) {
        return "__nv_atomic_store_n(data, 1, __NV_ATOMIC_" + order + ");";
    };
    const auto wait = [](const std::string& order) {
        return "seen = __nv_atomic_load_n(data, __NV_ATOMIC_" + order + ");";
    };
    EXPECT_TRUE(contains(findings(handed_over(set("RELEASE"), wait("ACQUIRE")), 0), "no findings"));
    EXPECT_TRUE(contains(findings(handed_over(set("SEQ_CST"), wait("SEQ_CST")), 0), "no findings"));
    EXPECT_TRUE(says(findings(handed_over(set("RELAXED"), wait("ACQUIRE"))), "race", 5));
    EXPECT_TRUE(says(findings(handed_over(set("RELEASE"), wait("RELAXED"))), "race", 5));
}

TEST(Hazards, OfFlagsArePtxThatOrdersNothing) {
    const auto set = [](const std::string& order) {
        return "asm volatile(\"st." + order + ".gpu.global.s32 [%0], 1;\" :: \"l\"(data) : \"memory\");";
    };
    const auto wait = [](const std::string& order) {
        return "asm volatile(\"ld." + order + ".gpu.global.s32 %0, [%1];\" : \"=r\"(seen) : \"l\"(data) : \"memory\");";
    };
    EXPECT_TRUE(contains(findings(handed_over(set("release"), wait("acquire")), 0), "no findings"));
    EXPECT_TRUE(says(findings(handed_over(set("relaxed"), wait("relaxed"))), "race", 5));
    const std::string released =
        "asm volatile(\"red.release.gpu.global.add.s32 [%0], 1;\" :: \"l\"(data) : \"memory\");";
    const std::string relaxed =
        "asm volatile(\"red.relaxed.gpu.global.add.s32 [%0], 1;\" :: \"l\"(data) : \"memory\");";
    EXPECT_TRUE(contains(findings(handed_over(released, wait("acquire")), 0), "no findings"));
    EXPECT_TRUE(says(findings(handed_over(relaxed, wait("acquire"))), "race", 5));
}

/// A lock by atomicCAS, which is relaxed, is as good as the fences beside it.
TEST(Hazards, OfLocksAreTheFencesThatAreMissing) {
    const auto locked = [](const std::string& fence) {
        return findings(program_with("__global__ void kernel(int* data) {\n"
                                     "    if (threadIdx.x != 0) return;\n"
                                     "    while (atomicCAS(&data[0], 0, 1) != 0) {}\n"
                                     "    " +
                                     fence +
                                     "\n"
                                     "    data[1] += 1;\n"
                                     "    " +
                                     fence +
                                     "\n"
                                     "    atomicExch(&data[0], 0);\n"
                                     "}"),
                        fence.empty() ? 1 : 0);
    };
    EXPECT_TRUE(contains(locked("__threadfence();"), "no findings"));
    EXPECT_TRUE(says(locked(""), "race", 6));
}

// A flag in shared memory, among lanes of one warp and among warps.
TEST(Hazards, OfSharedFlagsAreRelaxedOnes) {
    const auto program = [](const std::string& store, const std::string& load) {
        return program_with(
            "__global__ void kernel(int* data) {\n"
            "    __shared__ int flag, values[64];\n"
            "    if (threadIdx.x == 0) flag = 0;\n"
            "    __syncthreads();\n"
            "    const int other = threadIdx.x ^ 33;\n"
            "    values[threadIdx.x] = threadIdx.x;\n"
            "    __nv_atomic_fetch_add(&flag, 1, __NV_ATOMIC_" +
                store +
                ", __NV_THREAD_SCOPE_BLOCK);\n"
                "    while (__nv_atomic_load_n(&flag, __NV_ATOMIC_" +
                load +
                ", __NV_THREAD_SCOPE_BLOCK) < 64) {}\n"
                "    data[threadIdx.x] = values[other];\n"
                "}",
            "kernel<<<1, 64>>>(data);");
    };
    EXPECT_TRUE(contains(findings(program("RELEASE", "ACQUIRE"), 0), "no findings"));
    EXPECT_TRUE(says(findings(program("RELAXED", "ACQUIRE")), "race", 7));
}

}  // namespace
}  // namespace lanework
