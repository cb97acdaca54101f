// Warps whose lanes exchange values through volatile memory with nothing between, as programs did before Volta: `run`
// keeps the lanes together, `check` names the places.
#include <algorithm>
#include <array>

#include "tests/program/programs.hpp"

namespace lanework {
namespace {

/// What a program prints with each compiler that is here, by `command`; empty where they differ.
std::string printed(const Folder& folder, const std::string& command, int status = 0) {
    std::string all;
    for (const std::string& compiler : compilers()) {
        const Said run = shell("cd '" + folder.string() + "'; export CXX=" + compiler + "; lanework " + command);
        EXPECT_EQ(run.status, status) << compiler << "\n" << run.out << run.err;
        if (!all.empty() && all != run.out) return "";
        all = run.out;
    }
    return all;
}

/// `kernel(const int* in, int* out)` in one block of 64 threads, and the 64 numbers that it makes of 0 … 63.
void write_program(const Folder& folder, const std::string& kernel) {
    folder.write("a.cu", "#include <cstdio>\n" + kernel +
                             "\nint main() {\n"
                             "    int *in, *out;\n"
                             "    cudaMallocManaged(&in, 256);\n    cudaMallocManaged(&out, 256);\n"
                             "    for (int i = 0; i < 64; ++i) in[i] = i;\n"
                             "    kernel<<<1, 64>>>(in, out);\n"
                             "    cudaDeviceSynchronize();\n"
                             "    for (int i = 0; i < 64; ++i) std::printf(\"%d \", out[i]);\n"
                             "}\n");
}

template <class Number>
std::string numbers(const Number& number) {
    std::string text;
    for (int i = 0; i < 64; ++i) text += std::to_string(number(i)) + " ";
    return text;
}

TEST(Lockstep, OrdersTheLastStepsOfASum) {
    const Folder folder;
    write_program(folder,
                  "__device__ void last_warp(volatile int* s, int t) {\n"
                  "    s[t] += s[t + 32];\n"
                  "    s[t] += s[t + 16];\n"
                  "    s[t] += s[t + 8];\n"
                  "    s[t] += s[t + 4];\n"
                  "    s[t] += s[t + 2];\n"
                  "    s[t] += s[t + 1];\n"
                  "}\n"
                  "__global__ void kernel(const int* in, int* out) {\n"
                  "    __shared__ int s[64];\n"
                  "    const int t = threadIdx.x;\n"
                  "    s[t] = in[t];\n"
                  "    __syncthreads();\n"
                  "    if (t < 32) last_warp(s, t);\n"
                  "    __syncthreads();\n"
                  "    out[t] = s[0];\n"
                  "}");
    const std::string right = numbers([](int) { return 2016; });
    EXPECT_EQ(printed(folder, "run a.cu"), right);
    EXPECT_EQ(printed(folder, "check a.cu", 1), right);
    const Said said = in(folder, "check a.cu");
    EXPECT_TRUE(contains(said.err, "warp_synchrony  a.cu:3:") && contains(said.err, "reads in line 4") &&
                contains(said.err, "in last_warp, called by kernel") &&
                contains(said.err, "only lockstep would order them, which no GPU since Volta promises") &&
                contains(said.err, "Put __syncwarp() between"))
        << said.err;
}

TEST(Lockstep, OrdersStepsThatSomeLanesLeaveOut) {
    const Folder folder;
    write_program(folder,
                  "template <class T> class Scan {\n"
                  "    volatile T* at;\n"
                  "    int lane;\n"
                  "public:\n"
                  "    __device__ Scan(volatile T* warp, int lane) : at(warp), lane(lane) {}\n"
                  "    __device__ T sum(T value) {\n"
                  "        at[lane] = value;\n"
                  "#pragma unroll\n"
                  "        for (int d = 1; d < 32; d *= 2)\n"
                  "            if (lane >= d) at[lane] = at[lane] + this->at[lane - d];\n"
                  "        return at[lane];\n"
                  "    }\n"
                  "};\n"
                  "__global__ void kernel(const int* in, int* out) {\n"
                  "    __shared__ int s[64];\n"
                  "    const int t = threadIdx.x, lane = t % 32;\n"
                  "    if (lane == 0) *(volatile int*)&s[t] = 7;\n"
                  "    out[t] = Scan<int>(s + t - lane, lane).sum(in[t]);\n"
                  "}");
    EXPECT_EQ(printed(folder, "run a.cu"), numbers([](int t) {
                  int sum = 0;
                  for (int i = t - t % 32; i <= t; ++i) sum += i;
                  return sum;
              }));
}

TEST(Lockstep, BringsLanesTogetherBehindABranchAtTheEndOfALoop) {
    const Folder folder;
    write_program(folder,
                  "__global__ void kernel(const int* in, int* out) {\n"
                  "    __shared__ volatile int keys[64];\n"
                  "    const int t = threadIdx.x, lane = t % 32;\n"
                  "    volatile int* const k = keys + t - lane;\n"
                  "    k[lane] = in[t] * 37 % 64;\n"
                  "    for (int size = 2; size <= 32; size *= 2)\n"
                  "        for (int stride = size / 2; stride > 0; stride /= 2) {\n"
                  "            const int other = lane ^ stride;\n"
                  "            if (other < lane) continue;\n"
                  "            const int a = k[lane], b = k[other];\n"
                  "            if ((a > b) == ((lane & size) == 0)) { k[lane] = b; k[other] = a; }\n"
                  "        }\n"
                  "    out[t] = k[lane];\n"
                  "}");
    std::array<int, 64> keys;
    for (int i = 0; i < 64; ++i) keys[static_cast<std::size_t>(i)] = i * 37 % 64;
    std::sort(keys.begin(), keys.begin() + 32);
    std::sort(keys.begin() + 32, keys.end());
    const std::string right = numbers([&](int i) { return keys[static_cast<std::size_t>(i)]; });
    EXPECT_EQ(printed(folder, "run a.cu"), right);
    EXPECT_EQ(printed(folder, "check a.cu", 1), right);
}

TEST(Lockstep, LetsLanesTryAgainWhereAnotherOneWrote) {
    const Folder folder;
    write_program(folder,
                  "#define TAG(t) ((unsigned)(t) << 27)\n"
                  "__device__ void add(volatile unsigned* bins, int bin, int lane) {\n"
                  "    unsigned count;\n"
                  "    do {\n"
                  "        count = bins[bin] & 0x7ffffff;\n"
                  "        count = TAG(lane) | (count + 1);\n"
                  "        bins[bin] = count;\n"
                  "    } while (bins[bin] != count);\n"
                  "}\n"
                  "__global__ void kernel(const int* in, int* out) {\n"
                  "    __shared__ unsigned bins[2][32];\n"
                  "    const int t = threadIdx.x, lane = t % 32;\n"
                  "    bins[t / 32][lane] = 0;\n"
                  "    __syncthreads();\n"
                  "    for (int i = 0; i < 3; ++i) add(bins[t / 32], in[t] % 3, lane);\n"
                  "    __syncthreads();\n"
                  "    out[t] = bins[t / 32][lane] & 0x7ffffff;\n"
                  "}");
    EXPECT_EQ(printed(folder, "run a.cu"), numbers([](int t) {
                  int count = 0;
                  for (int i = t - t % 32; i < t - t % 32 + 32; ++i) count += i % 3 == t % 32;
                  return 3 * count;
              }));
}

TEST(Lockstep, LetsLanesWaitForLanesOfTheirWarpAndForBlocksThatComeLater) {
    const Folder folder;
    folder.write("a.cu",
                 "#include <cstdio>\n"
                 "__device__ volatile int turn, sum, late;\n"
                 "__global__ void in_turn(bool backwards) {\n"
                 "    const int me = backwards ? 31 - threadIdx.x : blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "    while (turn != me) ;\n"
                 "    sum = sum + me;\n"
                 "    __threadfence();\n"
                 "    turn = me + 1;\n"
                 "}\n"
                 "__global__ void for_later_blocks() {\n"
                 "    if (blockIdx.x == gridDim.x - 1) late = 1;\n"
                 "    while (late == 0) ;\n"
                 "}\n"
                 "int main() {\n"
                 "    int zero = 0, value;\n"
                 "    in_turn<<<3, 64>>>(false);\n"
                 "    cudaMemcpyFromSymbol(&value, sum, 4);\n"
                 "    std::printf(\"%d\", value);\n"
                 "    cudaMemcpyToSymbol(turn, &zero, 4);\n"
                 "    in_turn<<<1, 32>>>(true);\n"
                 "    cudaMemcpyFromSymbol(&value, sum, 4);\n"
                 "    for_later_blocks<<<50, 64>>>();\n"
                 "    std::printf(\" %d %s\\n\", value, cudaGetErrorName(cudaDeviceSynchronize()));\n"
                 "}\n");
    EXPECT_EQ(printed(folder, "run a.cu"), "18336 18832 cudaSuccess\n");
}

TEST(Lockstep, WithoutVolatileIsNamedToo) {
    const Folder folder;
    write_program(folder,
                  "__global__ void kernel(const int* in, int* out) {\n"
                  "    __shared__ int s[64];\n"
                  "    const int t = threadIdx.x;\n"
                  "    s[t] = in[t];\n"
                  "    __syncthreads();\n"
                  "    if (t < 32)\n"
                  "        for (int half = 32; half > 0; half /= 2) s[t] += s[t + half];\n"
                  "    __syncthreads();\n"
                  "    out[t] = s[0];\n"
                  "}");
    const Said said = in(folder, "check a.cu");
    EXPECT_EQ(said.status, 1);
    EXPECT_TRUE(contains(said.err, "warp_synchrony  a.cu:8:")) << said.err;
}

TEST(Lockstep, IsNotBoughtByKernelsWithoutVolatile) {
    const Folder folder;
    write_program(folder,
                  "__device__ int other(volatile int* s) { return s[0]; }\n"
                  "__global__ void kernel(const int* in, int* out) {\n"
                  "    const int* s = in;\n"
                  "    for (int i = 0; i < 3; ++i) out[threadIdx.x] += s[i];\n"
                  "}");
    EXPECT_EQ(printed(folder, "run a.cu"), numbers([](int) { return 3; }));
    const Said text = in(folder, "cc -E -x cu a.cu | grep -A9 'void kernel'");
    EXPECT_TRUE(contains(text.out, "s[i]") && !contains(text.out, "rejoin") && !contains(text.out, "lockstep"))
        << text.out << text.err;
}

/// The last steps of a sum over what `s` names.
std::string steps(const std::string& s) {
    std::string text;
    for (const char* const by : {"32", "16", "8", "4", "2", "1"}) text += s + "[t] += " + s + "[t + " + by + "]; ";
    return text;
}

TEST(Lockstep, ReachesTemplatesThatAreGivenWhatIsVolatile) {
    const std::string reduce = "template <class T> __device__ void sum(T* s, int t) { " + steps("s") + "}\n";
    const std::string by_pointer = "template <class P> __device__ void sum(P s, int t) { " + steps("s") + "}\n";
    const std::string object =
        "template <class T> struct Sum { T* s; __device__ void of(int t) { " + steps("s") + "} };\n";
    const std::string held = "struct Held { volatile int v[64]; };\n";
    const std::string returned = "struct Part { int* p; __device__ volatile int* get() { return p; } };\n";
    const struct {
        std::string before, shared, last_warp;
    } programs[] = {{reduce, "int s[64]", "sum<volatile int>(s, t);"},
                    {reduce, "int s[64]", "volatile int* p = s; sum(p, t);"},
                    {reduce, "int s[64]", "sum((volatile int*)s, t);"},
                    {by_pointer, "int s[64]", "sum(const_cast<volatile int*>(s), t);"},
                    {object, "int s[64]", "Sum<volatile int>{s}.of(t);"},
                    {"#include <type_traits>\n", "int s[64]", "std::add_volatile_t<int>* p = s; " + steps("p")},
                    {returned, "int s[64]", "Part part{s}; " + steps("part.get()")},
                    {held, "Held h; auto& s = h.v", steps("s")}};
    for (const auto& program : programs) {
        const Folder folder;
        write_program(folder, program.before +
                                  "__global__ void kernel(const int* in, int* out) {\n"
                                  "    __shared__ " +
                                  program.shared +
                                  ";\n"
                                  "    const int t = threadIdx.x;\n"
                                  "    s[t] = in[t];\n"
                                  "    __syncthreads();\n"
                                  "    if (t < 32) { " +
                                  program.last_warp +
                                  " }\n"
                                  "    __syncthreads();\n"
                                  "    out[t] = s[0];\n"
                                  "}");
        EXPECT_EQ(printed(folder, "run a.cu"), numbers([](int) { return 2016; })) << program.last_warp;
    }
}

}  // namespace
}  // namespace lanework
