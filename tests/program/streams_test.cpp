// What `explain` says of a whole program's copies and streams: the fault is named with its line, and the program
// without it is left alone.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "src/gpu/page_faults.hpp"
#include "src/io/json.hpp"
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

/// A program over `n` floats: `h` and `d` are the host's and the device's, `twice` doubles them.
std::string program(const std::string& body) {
    return "#include <cstdlib>\n"
           "__global__ void twice(const float* in, float* out, int n) {\n"
           "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    if (i < n) out[i] = 2 * in[i];\n"
           "}\n"
           "int main() {\n"
           "    const int n = 1 << 18, bytes = n * sizeof(float);\n" +
           body +
           "    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;\n"
           "}\n";
}

std::string explained(const std::string& body) {
    const Folder folder;
    folder.write("a.cu", program(body));
    const Said run = in(folder, "explain a.cu --gpu h200");
    EXPECT_EQ(run.status, 0) << run.err;
    return run.out;
}

const std::string kPageable =
    "    float* h = static_cast<float*>(std::malloc(bytes));\n"
    "    for (int i = 0; i < n; ++i) h[i] = 1;\n";
const std::string kPinned =
    "    float* h;\n"
    "    cudaMallocHost(&h, bytes); for (int i = 0; i < n; ++i) h[i] = 1;\n";
const std::string kRound =
    "    float *d, *e;\n"
    "    cudaMalloc(&d, bytes);\n"
    "    cudaMalloc(&e, bytes);\n"
    "    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);\n"
    "    twice<<<n / 256, 256>>>(d, e, n);\n"
    "    cudaMemcpy(h, e, bytes, cudaMemcpyDeviceToHost);\n";

TEST(ExplainStreams, NamesCopiesOfPageableMemory) {
    const std::string said = explained(kPageable + kRound);
    EXPECT_TRUE(contains(said, "pageable_copies, line 13")) << said;
    EXPECT_FALSE(contains(explained(kPinned + kRound), "pageable_copies"));
}

TEST(ExplainStreams, LeavesOneShortCopyAlone) {
    const std::string said = explained(
        "    float h[64] = {}, *d;\n"
        "    cudaMalloc(&d, sizeof h);\n"
        "    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n"
        "    twice<<<1, 64>>>(d, d, 64);\n"
        "    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n");
    for (const char* const rule : {"pageable_copies", "needless_copy", "serialised_work", "default_stream_waits"})
        EXPECT_FALSE(contains(said, rule)) << said;
}

TEST(ExplainStreams, NamesManagedPagesThatNobodySent) {
    const auto with = [](const std::string& before) {
        return explained(
            "    float *m, *d;\n"
            "    cudaMallocManaged(&m, bytes);\n"
            "    cudaMalloc(&d, bytes);\n" +
            before + "    twice<<<n / 256, 256>>>(m, d, n);\n");
    };
    EXPECT_TRUE(contains(with(""), "page_faults"));
    EXPECT_FALSE(contains(with("    cudaMemPrefetchAsync(m, bytes, 0, 0);\n"), "page_faults"));
}

/// Of each launch, 64 KiB at a time: all when nobody has sent them, none when they lie there, and what the host wrote.
TEST(ExplainStreams, CountsTheWaitForPagesAsTimeOfTheLaunch) {
    const Folder folder;
    folder.write("a.cu", R"(
__global__ void first(float* m) { m[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void second(float* m) { m[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void third(float* m) { m[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void fourth(float* m) { m[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
int main() {
    const int n = 1 << 18;
    float* m;
    cudaMallocManaged(&m, n * sizeof(float));
    for (int i = 0; i < n; ++i) m[i] = 1;
    first<<<n / 256, 256>>>(m);
    second<<<n / 256, 256>>>(m);
    cudaDeviceSynchronize();
    m[n / 2] = 7;
    m[n - 1] = 7;
    third<<<n / 256, 256>>>(m);
    cudaDeviceSynchronize();
    cudaMemset(m, 0, n * sizeof(float));
    fourth<<<n / 256, 256>>>(m);
    cudaDeviceSynchronize();
}
)");
    const Said run = in(folder, "explain a.cu --gpu h200 --json a.json");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "bound by page faults;")) << run.out;
    const Json document = Json::parse(contents(folder / "a.json"));
    const Json& result = document.at("results").front();
    std::vector<double> waits;
    double all = 0;
    for (const Json& kernel : result.at("kernels")) {
        const Json& estimate = kernel.at("estimate");
        waits.push_back(estimate.at("page_faults_s").get<double>());
        EXPECT_GT(estimate.at("time_s").get<double>(), waits.back());
        EXPECT_EQ(estimate.at("bound") == "page faults", waits.back() > 0);
        all += waits.back();
    }
    ASSERT_EQ(waits.size(), 4u);
    EXPECT_DOUBLE_EQ(waits[0], page_fault_seconds(1 << 20));
    EXPECT_EQ(waits[1], 0);
    EXPECT_DOUBLE_EQ(waits[2], page_fault_seconds(2 * kFaultBytes));
    EXPECT_EQ(waits[3], 0) << "a fill on the device sends nothing home";
    EXPECT_NEAR(result.at("estimate").at("parts_s").at("page faults").get<double>(), all, 1e-12);
    EXPECT_GT(result.at("estimate").at("time_s").get<double>(), all);
}

/// Of each kernel of a program, whether its launch waits for pages; where it does, `seconds` long.
std::vector<bool> waits_for_pages(const std::string& source, double seconds) {
    const Folder folder;
    folder.write("a.cu", source);
    const Said run = in(folder, "explain a.cu --gpu h200 --json a.json");
    EXPECT_EQ(run.status, 0) << run.err;
    std::vector<bool> waits;
    const Json document = Json::parse(contents(folder / "a.json"));
    for (const Json& kernel : document.at("results").front().at("kernels")) {
        const auto waited = kernel.at("estimate").at("page_faults_s").get<double>();
        waits.push_back(waited > 0);
        if (waited > 0) {
            EXPECT_NEAR(waited, seconds, 1e-8);
        }
    }
    return waits;
}

/// A program's managed variables lie in one page, those that are no arrays; it goes home when the host writes one,
/// writes it as it was, or reads one that nobody has changed, in whatever form: by its name, by a pointer or in a
/// function.
TEST(ExplainStreams, CountsTheWaitForManagedVariables) {
    const std::string source = R"(
#define MANAGED __managed__
MANAGED int changed;
struct Sums { float of[1000]; };
__managed__ Sums sums;
__global__ void first(float* a) { sums.of[threadIdx.x] = a[threadIdx.x]; }
__global__ void second(float* a) { if (a[threadIdx.x] > 0) changed = 1; }
__global__ void third(float* a) { if (a[threadIdx.x] > 0) changed = 2; }
__global__ void fourth(float* a) { a[threadIdx.x] = 1; }
__global__ void fifth(float* a) { if (a[threadIdx.x] > 0) changed = 3; }
__global__ void sixth(float* a) { if (a[threadIdx.x] > 0) changed = 4; }
__global__ void seventh(float* a) { a[threadIdx.x] = changed; }
__global__ void eighth(float* a) { a[threadIdx.x] += changed; }
__global__ void ninth(float* a) { a[threadIdx.x] -= changed; }
static_assert(sizeof(changed) == 4 && sizeof(decltype(sums.of)) == 4000);
template <int* of> int kept() { return *of; }
float largest(const Sums& all) { return all.of[7] > all.of[8] ? all.of[7] : all.of[8]; }
__host__ __device__ int twice() { return 2 * changed; }
__global__ void tenth(float* a) { a[threadIdx.x] -= twice(); }
__global__ void eleventh(float* a) { a[threadIdx.x] *= twice(); }
int main() {
    float* a;
    cudaMalloc(&a, 1024);
    cudaMemset(a, 1, 1024);
    first<<<1, 256>>>(a);   // comes for the first time
    second<<<1, 256>>>(a);
    cudaDeviceSynchronize();
    int* const pointer = &changed;
    third<<<1, 256>>>(a);   // its address alone moves nothing
    cudaDeviceSynchronize();
    changed = 2;
    fourth<<<1, 256>>>(a);  // needs none
    fifth<<<1, 256>>>(a);   // was written, the same value
    cudaDeviceSynchronize();
    sixth<<<1, 256>>>(a);   // nobody looked
    cudaDeviceSynchronize();
    int sum = *pointer;
    seventh<<<1, 256>>>(a); // was read through a pointer
    cudaDeviceSynchronize();
    sum += largest(sums) > 1;
    eighth<<<1, 256>>>(a);  // another variable of the page was read, through a reference
    cudaDeviceSynchronize();
    sum += [&] { return kept<&changed>(); }();
    ninth<<<1, 256>>>(a);   // was read through an argument of a template
    cudaDeviceSynchronize();
    sum += twice();
    tenth<<<1, 256>>>(a);   // a function for both read it, for the host
    eleventh<<<1, 256>>>(a);  // and for the device
    cudaDeviceSynchronize();
    return sum < 0;
}
)";
    EXPECT_EQ(waits_for_pages(source, page_fault_seconds(4004)),
              (std::vector<bool>{true, false, false, false, true, false, true, true, true, true, false}));
}

/// Of an allocation go home those 64 KiB of which the host reads a byte, and what another of its threads reads.
TEST(ExplainStreams, SeesWhatTheHostReadsOfManagedMemory) {
    const std::string source = R"(
#include <thread>
#define KERNEL(name) __global__ void name(float* m) { m[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
KERNEL(first) KERNEL(second) KERNEL(third) KERNEL(fourth) KERNEL(fifth)
const int n = 1 << 17;
float sum = 0;
int main() {
    float* m;
    cudaMallocManaged(&m, n * sizeof(float));
    cudaMemPrefetchAsync(m, n * sizeof(float), 0, 0);
    first<<<n / 256, 256>>>(m);  // was sent
    cudaDeviceSynchronize();
    sum += m[n - 1];
    second<<<n / 256, 256>>>(m);  // the last piece was read
    third<<<n / 256, 256>>>(m);
    cudaDeviceSynchronize();
    std::thread([m] { sum += m[5]; }).join();
    fourth<<<n / 256, 256>>>(m);  // the first one was
    cudaDeviceSynchronize();
    float* host = new float[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMemcpy(host, m, n * sizeof(float), cudaMemcpyDefault);
    for (int i = 0; i < n; ++i) sum += host[i];
    fifth<<<n / 256, 256>>>(m);  // a copy leaves it where it is
    cudaDeviceSynchronize();
    return sum < 0;
}
)";
    EXPECT_EQ(waits_for_pages(source, page_fault_seconds(kFaultBytes)),
              (std::vector<bool>{false, true, false, true, false}));
}

/// Memory that is advised to be read mostly is copied to the host that reads it, and stays.
TEST(ExplainStreams, LeavesWhatIsReadMostlyOnTheDevice) {
    const std::string source = R"(
#define KERNEL(name) __global__ void name(const float* m, float* o) { o[blockIdx.x * blockDim.x + threadIdx.x] = m[blockIdx.x * blockDim.x + threadIdx.x]; }
KERNEL(first) KERNEL(second) KERNEL(third)
const int n = 1 << 17;
int main() {
    float *m, *o, sum = 0;
    cudaMallocManaged(&m, n * sizeof(float));
    cudaMalloc(&o, n * sizeof(float));
    for (int i = 0; i < n; ++i) m[i] = i;
    cudaMemAdvise(m, n * sizeof(float), cudaMemAdviseSetReadMostly, 0);
    cudaMemPrefetchAsync(m, n * sizeof(float), 0, 0);
    first<<<n / 256, 256>>>(m, o);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) sum += m[i];
    second<<<n / 256, 256>>>(m, o);  // was read
    cudaDeviceSynchronize();
    m[7] = 1;
    third<<<n / 256, 256>>>(m, o);  // one piece was written
    cudaDeviceSynchronize();
    return sum < 0;
}
)";
    EXPECT_EQ(waits_for_pages(source, page_fault_seconds(kFaultBytes)), (std::vector<bool>{false, false, true}));
}

/// Threads that still touch managed memory while the program ends.
TEST(ExplainStreams, EndsWhileThreadsTouchManagedMemory) {
    const Folder folder;
    folder.write("a.cu", R"(
#include <chrono>
#include <thread>
__global__ void k(float* m) { m[threadIdx.x] += 1; }
int main() {
    float* m[64];
    for (float*& each : m) cudaMallocManaged(&each, 1 << 20);
    k<<<1, 32>>>(m[0]);
    cudaDeviceSynchronize();
    for (int t = 0; t < 6; ++t)
        std::thread([=] {
            for (volatile float sum = 0;;)
                for (float* each : m)
                    for (int i = 0; i < 1 << 18; i += 1 << 12) sum = sum + each[i];
        }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return 0;
}
)");
    for (int run = 0; run < 4; ++run) {
        const Said said = in(folder, "explain a.cu --gpu h200");
        EXPECT_EQ(said.status, 0) << said.err;
    }
}

/// Thrust's algorithms run on the host here: what they write is the device's on a GPU, and waits for no page, nor for
/// the kernel before.
TEST(ExplainStreams, TakesMemoryOfALibraryForTheDevices) {
    const Folder folder;
    folder.write("a.cu", R"(
#include <lanework_simt/library_memory.hpp>
__global__ void twice(int* a) { a[threadIdx.x] *= 2; }
int main() {
    int* a;
    if (lanework_simt::allocate_for_library((void**)&a, 64 * sizeof(int))) return 2;
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, a);
    if (attributes.type != cudaMemoryTypeDevice || attributes.hostPointer) return 3;
    for (int i = 0; i < 64; ++i) a[i] = i;
    twice<<<1, 64>>>(a);
    for (int i = 0; i < 64; ++i) a[i] += 1;
    twice<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    return a[3] == 14 ? cudaFree(a) : 4;
}
)");
    const Said run = in(folder, "explain a.cu --gpu h200 --json a.json");
    EXPECT_EQ(run.status, 0) << run.err;
    const Json document = Json::parse(contents(folder / "a.json"));
    const Json& kernels = document.at("results").front().at("kernels");
    ASSERT_FALSE(kernels.empty());
    for (const Json& kernel : kernels) EXPECT_EQ(kernel.at("estimate").at("page_faults_s").get<double>(), 0);
    const Said checked = in(folder, "check a.cu");
    EXPECT_EQ(checked.status, 0) << checked.out;
}

/// Who reads a clock around its work, or while it works, waits for nothing.
TEST(ExplainStreams, CountsTheWaitForAClock) {
    const Folder folder;
    folder.write("a.cu", R"(
__device__ long long took;
__global__ void spins(long long clocks) {
    const long long start = clock64();
    while (clock64() - start < clocks) {
    }
}
__global__ void sleeps(unsigned long long nanoseconds) {
    extern __shared__ char nearly_all[];
    unsigned long long start, now;
    nearly_all[0] = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - start < nanoseconds);
}
__global__ void times(float* a, int n) {
    const long long start = clock64();
    for (int i = 1; i < n; ++i) a[i] = a[i - 1] + 1;
    took = clock64() - start;
}
__global__ void one_block_spins(long long clocks) {
    if (blockIdx.x != 0) return;
    const long long start = clock64();
    while (clock64() - start < clocks) {
    }
}
__global__ void warps_spin(long long clocks) {
    const long long start = clock64();
    while (clock64() - start < clocks) {
    }
}
__global__ void samples(long long* when, int* next) {
    int at = 0;
    for (int i = 0; i < 2000; ++i) {
        when[i] = clock64();
        at = next[at];
    }
}
int main() {
    float* a;
    cudaMalloc(&a, 1 << 20);
    cudaMemset(a, 0, 1 << 20);
    spins<<<1, 1>>>(20000000);
    one_block_spins<<<20000, 1>>>(4000000);
    warps_spin<<<1, 256>>>(4000000);
    samples<<<1, 1>>>((long long*)a, (int*)a + 10000);
    cudaFuncSetAttribute(sleeps, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
    sleeps<<<133, 1, 200000>>>(2000000);
    times<<<1, 1>>>(a, 50000);
    return cudaDeviceSynchronize();
}
)");
    // What is waited for is never said to be more. It may be less where this machine does something else meanwhile,
    // which it does not each time.
    std::map<std::string, double> seconds;
    std::map<std::string, std::string> bounds;
    const double clock_hz = 1.98e9, asked = 20e6 / clock_hz, rounds = 2;  // 133 blocks, one for each of 132 SMs
    const auto all_waited = [&] {
        return seconds["spins"] >= 0.95 * asked && bounds["sleeps"] == "clock" &&
               bounds["one_block_spins"] == "clock" && bounds["warps_spin"] == "clock";
    };
    for (int tried = 0; tried < 5 && !all_waited(); ++tried) {
        const Said run = in(folder, "explain a.cu --gpu h200 --json a.json");
        EXPECT_EQ(run.status, 0) << run.err;
        const Json document = Json::parse(contents(folder / "a.json"));
        for (const Json& kernel : document.at("results").front().at("kernels")) {
            const auto name = kernel.at("kernel").get<std::string>();
            const Json& estimate = kernel.at("estimate");
            const auto took = estimate.at("time_s").get<double>();
            if (took <= seconds[name]) continue;
            seconds[name] = took;
            bounds[name] = estimate.at("bound").get<std::string>();
        }
    }
    for (const char* const kernel : {"spins", "sleeps", "one_block_spins", "warps_spin"})
        EXPECT_EQ(bounds[kernel], "clock") << kernel;
    for (const char* const kernel : {"times", "samples"}) EXPECT_NE(bounds[kernel], "clock") << kernel;
    EXPECT_GE(seconds["spins"], 0.1 * asked);
    EXPECT_LE(seconds["spins"], 1.05 * asked);
    EXPECT_LE(seconds["sleeps"], rounds * 2.2e-3);
    EXPECT_LE(seconds["one_block_spins"], 1.5 * 4e6 / clock_hz);
    EXPECT_LE(seconds["warps_spin"], 1.5 * 4e6 / clock_hz);
}

/// An H200 took 33 µs for the first, of which a launch is 8, 95 for the second and 651 for the third
/// (results/h200/printing.csv).
TEST(ExplainStreams, CountsWhatIsPrinted) {
    const Folder folder;
    folder.write("a.cu", R"(
#include <cstdio>
__global__ void lines() { printf("%d\n", threadIdx.x); }
__global__ void full_warps() { printf("%d %d\n", blockIdx.x, threadIdx.x); }
__global__ void loop() { for (int i = 0; i < 32; ++i) printf("%d\n", i); }
__global__ void silent() { if (threadIdx.x > 1024) printf("never\n"); }
int main() {
    lines<<<4, 8>>>();
    full_warps<<<1, 256>>>();
    loop<<<1, 1>>>();
    silent<<<4, 8>>>();
    return cudaDeviceSynchronize();
}
)");
    const Said run = in(folder, "explain a.cu --gpu h200 --as-written --json a.json");
    EXPECT_EQ(run.status, 0) << run.err;
    std::map<std::string, Json> estimates;
    const Json document = Json::parse(contents(folder / "a.json"));
    for (const Json& kernel : document.at("results").front().at("kernels"))
        estimates[kernel.at("kernel").get<std::string>()] = kernel.at("estimate");
    const std::vector<std::pair<std::string, double>> took = {
        {"lines", 33e-6}, {"full_warps", 95e-6}, {"loop", 651e-6}};
    for (const auto& [name, seconds] : took) {
        EXPECT_EQ(estimates.at(name).at("bound"), "printing") << name;
        EXPECT_NEAR(estimates.at(name).at("time_s").get<double>(), seconds, 0.2 * seconds) << name;
    }
    EXPECT_LT(estimates.at("silent").at("time_s").get<double>(), 5e-6);
}

TEST(ExplainStreams, SaysWhichTimeAFindingSavesAPartOf) {
    const Folder folder;
    folder.write("a.cu", program("    float *m, *d;\n"
                                 "    cudaMallocManaged(&m, bytes);\n"
                                 "    cudaMalloc(&d, bytes);\n"
                                 "    twice<<<n / 32, 32>>>(m, d, n);\n"));
    const Said run = in(folder, "explain a.cu --gpu h200 --json a.json");
    EXPECT_EQ(run.status, 0) << run.err;
    std::size_t of_kernels = 0, of_streams = 0;
    const Json document = Json::parse(contents(folder / "a.json"));
    for (const Json& finding : document.at("results").front().at("findings")) {
        if (finding.at("gain").is_null()) continue;
        const bool streams = finding.at("gain_of") == "streams";
        (streams ? of_streams : of_kernels) += 1;
        EXPECT_EQ(streams, finding.at("rule") == "page_faults");
        EXPECT_NEAR(finding.at("time_without_s").get<double>(),
                    (1 - finding.at("gain").get<double>()) * finding.at("time_s").get<double>(), 1e-9);
    }
    EXPECT_GT(of_kernels, 0u);
    EXPECT_EQ(of_streams, 1u);
    const std::string said = in(folder, "explain a.cu --gpu h200").out;
    EXPECT_TRUE(contains(said, "% of the kernels' time") && contains(said, "% of all work")) << said;
}

}  // namespace
}  // namespace lanework
