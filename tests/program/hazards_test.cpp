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

TEST(Hazards, OfMemoryAreAtomicsOfSixteenBytesBesideTheirMultiples) {
    const std::string said =
        findings(program_with("struct alignas(16) Pair { long long low, high; };\n"
                              "__global__ void kernel(int* data) {\n"
                              "    atomicExch((Pair*)((char*)data + 8), Pair{1, 2});\n"
                              "}"));
    EXPECT_TRUE(says(said, "launch_failure", 4) && contains(said, "exchange of 16 bytes at 0x") &&
                contains(said, "which is no multiple of 16"))
        << said;
}

TEST(Hazards, OfCallsThatFailSayInWhichLine) {
    EXPECT_TRUE(says(findings(program_with("__global__ void kernel(int* data) {\n"
                                           "    data[0] = 1;\n"
                                           "    if (data[0] == 1)\n"
                                           "        __trap();\n"
                                           "}")),
                     "launch_failure", 5));
    EXPECT_TRUE(says(findings(program_with("__global__ void kernel(int* data) {\n"
                                           "    data[0] = 1;\n"
                                           "    int* const other = data + 1;\n"
                                           "    delete other;\n"
                                           "}")),
                     "launch_failure", 5));
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

// racecheck, of global memory
constexpr const char* kPairs =
    "struct alignas(16) Pair { long long low, high; };\n"
    "__global__ void kernel(int* data) {\n"
    "    Pair* const pair = (Pair*)data;\n"
    "    const Pair old = atomicCAS(pair, Pair{0, 0}, Pair{1, 2});\n"
    "    if (blockIdx.x == 0 && threadIdx.x == 0) data[9] = OTHER;\n"
    "}\n"
    "int main() {\n"
    "    int* data;\n"
    "    cudaMalloc(&data, 64);\n    cudaMemset(data, 0, 64);\n"
    "    kernel<<<2, 32>>>(data);\n    cudaDeviceSynchronize();\n    cudaFree(data);\n}\n";

TEST(Hazards, OfRacesAreReadsOfAHalfBesideAtomicsOfSixteenBytes) {
    const std::string plain = std::string("#define OTHER data[2]\n") + kPairs;
    const std::string said = findings(plain);
    EXPECT_TRUE(says(said, "race", 5) && contains(said, "atomically updates 16 bytes")) << said;
    const std::string atomic = std::string("#define OTHER (int)old.high\n") + kPairs;
    EXPECT_TRUE(contains(findings(atomic, 0), "no findings"));
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

/// Loops of compare-and-swap that begin with a plain read, as the CUDA C++ Programming Guide writes them.
std::string guessed(const std::string& type, const std::string& swap) {
    return "template <class T>\n__device__ void add(T* at) {\n    T old = *at, assumed;\n    do {\n        assumed = "
           "old;\n"
           "        " +
           swap + "\n    } while (assumed != old);\n}\n" +
           program_with("__global__ void kernel(int* data) {\n    __shared__ " + type +
                        " sum;\n    if (threadIdx.x == 0) sum = 0;\n    __syncthreads();\n    add((" + type +
                        "*)data);\n    add(&sum);\n    __syncthreads();\n    if (threadIdx.x == 0) data[8 + "
                        "blockIdx.x] = sum;\n}");
}

TEST(Hazards, OfLoopsOfCompareAndSwapIsNotTheReadThatBeginsThem) {
    const std::string swap = "old = atomicCAS(at, assumed, T(assumed + 1));";
    const std::string ptx =
        "asm volatile(\"atom.cas.b32 %0, [%1], %2, %3;\" : \"=r\"(old) : \"l\"(at), "
        "\"r\"(assumed), \"r\"(assumed + 1) : \"memory\");";
    for (const std::string& program :
         {guessed("int", swap), guessed("unsigned long long", swap), guessed("unsigned short", swap),
          guessed("int", "old = atomicCAS_system(at, assumed, assumed + 1);"), guessed("int", ptx),
          guessed("int",
                  "__nv_atomic_compare_exchange_n(at, &old, old + 1, true, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);"),
          guessed("int", "old = *(volatile T*)at; old = atomicCAS(at, assumed = old, old + 1);")})
        EXPECT_TRUE(contains(findings(program, 0), "no findings")) << program;
}

/// What a thread does to a word that the others guess and swap.
std::string beside_guesses(const std::string& other, const std::string& block) {
    return program_with(
        "__global__ void kernel(int* data) {\n"
        "    if (blockIdx.x == " +
        block +
        ") {\n"
        "        if (threadIdx.x != 0) return;\n"
        "        " +
        other +
        "\n"
        "        return;\n"
        "    }\n"
        "    int old = data[0], assumed;\n"
        "    do {\n"
        "        assumed = old;\n"
        "        old = atomicCAS(&data[0], assumed, assumed + 1);\n"
        "    } while (assumed != old);\n"
        "}");
}

TEST(Hazards, OfLoopsOfCompareAndSwapAreOtherAccesses) {
    for (const auto& [block, other] : {std::pair{"0", "data[1] = data[0];"},
                                       {"1", "data[1] = data[0];"},
                                       {"0", "data[0] = 5;"},
                                       {"1", "data[0] = 5;"},
                                       {"0", "atomicExch(&data[0], 5);"},
                                       {"1", "atomicAdd(&data[0], 5);"},
                                       {"1", "atomicMax(&data[0], 5);"},
                                       {"1", "const int seen = data[0]; atomicAdd(&data[0], seen);"},
                                       {"0", "while (data[0] < 5) __threadfence(); atomicCAS(&data[0], 5, 6);"}})
        EXPECT_TRUE(contains(findings(beside_guesses(other, block)), "error  race")) << other;
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

// Scopes: what is atomic, or orders, for the threads of one block alone.
TEST(Hazards, OfScopesAreFlagsBetweenBlocks) {
    const auto set = [](const std::string& scope) {
        return "__nv_atomic_store_n(data, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_" + scope + ");";
    };
    const auto wait = [](const std::string& scope) {
        return "seen = __nv_atomic_load_n(data, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_" + scope + ");";
    };
    EXPECT_TRUE(contains(findings(handed_over(set("DEVICE"), wait("SYSTEM")), 0), "no findings"));
    for (const auto& [store, load] : {std::pair{"BLOCK", "DEVICE"}, {"DEVICE", "BLOCK"}, {"THREAD", "DEVICE"}}) {
        const std::string said = findings(handed_over(set(store), wait(load)));
        EXPECT_TRUE(says(said, "race", 5) && contains(said, "block scope orders nothing between blocks") &&
                    contains(said, "→ Give the atomic operations and fences device scope"))
            << store << said;
    }
}

TEST(Hazards, OfScopesAreFencesOfABlockBetweenBlocks) {
    const auto program = [](const std::string& fence) {
        return handed_over(fence + " atomicExch(data, 1);", "seen = atomicAdd(data, 0); " + fence);
    };
    EXPECT_TRUE(contains(findings(program("__threadfence();"), 0), "no findings"));
    EXPECT_TRUE(contains(findings(program("__threadfence_block();")), "block scope orders nothing between blocks"));
}

TEST(Hazards, OfScopesAreCountersThatAreAtomicForOneBlockAlone) {
    const auto count = [](const std::string& update, const std::string& index) {
        return program_with("__global__ void kernel(int* data) {\n    int* const counter = data + " + index +
                            ";\n    " + update + "\n}");
    };
    for (const std::string update :
         {"atomicAdd_block(counter, 1);", "atomicCAS_block(counter, 0, 1);",
          "__nv_atomic_fetch_add(counter, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);",
          "asm volatile(\"red.relaxed.cta.global.add.s32 [%0], 1;\" :: \"l\"(counter) : \"memory\");"}) {
        EXPECT_TRUE(contains(findings(count(update, "blockIdx.x"), 0), "no findings")) << update;
        const std::string said = findings(count(update, "0"));
        EXPECT_TRUE(says(said, "race", 4) && contains(said, "block scope orders nothing between blocks")) << said;
    }
    EXPECT_TRUE(contains(findings(count("atomicAdd(counter, 1);", "0"), 0), "no findings"));
}

TEST(Hazards, OfScopesAreMixedOnesOfOneCounter) {
    const std::string said =
        findings(program_with("__global__ void kernel(int* data) {\n"
                              "    if (blockIdx.x == 0) atomicAdd(data, 1);\n"
                              "    else atomicAdd_block(data, 1);\n"
                              "}"));
    EXPECT_TRUE(contains(said, "error  race") && contains(said, "atomically updates in line")) << said;
}

// What the host does with memory.
std::string host_program(const std::string& body) {
    return "#include <cstdlib>\n"
           "void* allocate(size_t bytes) {\n"
           "    void* memory;\n"
           "    cudaMalloc(&memory, bytes);\n"
           "    return memory;\n"
           "}\n"
           "int main() {\n"
           "    int* data = (int*)allocate(256);\n"
           "    int host[64] = {};\n" +
           body + "\n}\n";
}

TEST(Hazards, OfFreesAreMemoryThatWasFreedBefore) {
    const std::string said = findings(host_program("    cudaFree(data);\n    cudaFree(data);"));
    EXPECT_TRUE(says(said, "invalid_free", 11) && contains(said,
                                                           "again: 256 bytes of device memory, allocated in line "
                                                           "4, were freed in line 10"))
        << said;
}

TEST(Hazards, OfFreesArePointersInsideAnAllocationAndOfOthers) {
    const std::string inside = findings(host_program("    cudaFree(data + 4);\n    cudaFree(data);"));
    EXPECT_TRUE(says(inside, "invalid_free", 10) && contains(inside, "16 bytes behind the start of 256 bytes"))
        << inside;
    const std::string host = findings(host_program("    cudaFree(data);\n    cudaFree(malloc(64));"));
    EXPECT_TRUE(says(host, "invalid_free", 11) && contains(host, "where no allocation of CUDA begins")) << host;
    const std::string pinned = findings(host_program(
        "    cudaFree(data);\n    cudaMallocHost(&data, 64);\n    cudaFree(data);\n    cudaFreeHost(data);"));
    EXPECT_TRUE(says(pinned, "invalid_free", 12) && contains(pinned, "→ cudaFreeHost gives back page-locked memory"))
        << pinned;
    const std::string device = findings(host_program("    cudaFreeHost(data);\n    cudaFree(data);"));
    EXPECT_TRUE(says(device, "invalid_free", 10) && contains(device, "→ cudaFree gives back device memory")) << device;
    EXPECT_TRUE(contains(findings(host_program("    cudaFree(data); cudaFree(nullptr); cudaFreeHost(nullptr);"), 0),
                         "no findings"));
}

TEST(Hazards, OfCopiesAreMemoryThatWasFreedAndTheEndsOfAllocations) {
    for (const std::string kind : {"cudaMemcpyDeviceToHost", "cudaMemcpyDefault"}) {
        const std::string said =
            findings(host_program("    cudaFree(data);\n    cudaMemcpy(host, data, 256, " + kind + ");"));
        EXPECT_TRUE(says(said, "use_after_free", 11) && contains(said, "reads 256 bytes") &&
                    contains(said, "allocated in line 4, that were freed in line 10"))
            << kind << said;
    }
    const std::string set = findings(host_program("    cudaFree(data);\n    cudaMemset(data + 2, 0, 8);"));
    EXPECT_TRUE(says(set, "use_after_free", 11) && contains(set, "writes 8 bytes")) << set;
    const std::string behind =
        findings(host_program("    cudaMemcpy(data + 1, host, 256, cudaMemcpyHostToDevice);\n    cudaFree(data);"));
    EXPECT_TRUE(says(behind, "out_of_bounds", 10) && contains(behind, "4 bytes more than are left of 256 bytes"))
        << behind;
}

TEST(Hazards, OfFreesAreThoseThatNeverCome) {
    const Folder folder;
    folder.write("a.cu", host_program("    int *more, *managed, *freed;\n"
                                      "    for (int i = 0; i < 3; ++i)\n"
                                      "        cudaMalloc(&more, 1000);\n"
                                      "    cudaMallocManaged(&managed, 64);\n"
                                      "    cudaMalloc(&freed, 64);\n"
                                      "    cudaFree(freed);"));
    const Said asked = in(folder, "check --leaks a.cu");
    EXPECT_EQ(asked.status, 1) << asked.err;
    EXPECT_TRUE(contains(asked.err, "3 errors")) << asked.err;
    EXPECT_TRUE(says(asked.err, "leak", 4) && contains(asked.err, "256 bytes of device memory in 1 allocation"))
        << asked.err;
    EXPECT_TRUE(says(asked.err, "leak", 12) && contains(asked.err, "3000 bytes of device memory in 3 allocations"))
        << asked.err;
    EXPECT_TRUE(says(asked.err, "leak", 13) && contains(asked.err, "64 bytes of managed memory")) << asked.err;
    const Said silent = in(folder, "check a.cu");
    EXPECT_EQ(silent.status, 0) << silent.err;
    folder.write("b.cu", "struct Owner {\n    int* data = nullptr;\n    ~Owner() { cudaFree(data); }\n} owner;\n" +
                             program_with(kClean, "cudaMalloc(&owner.data, 400); kernel<<<2, 32>>>(data);"));
    const Said owned = in(folder, "check --leaks b.cu");
    EXPECT_TRUE(contains(owned.err, "no findings in 1 launch")) << owned.err;
}

}  // namespace
}  // namespace lanework
