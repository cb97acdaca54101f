// Measures what a GPU takes for what kernels are made of: latencies, and what an SM, the L2 and device memory do in a
// second by kind of access. One line a figure: name, value, unit.
//   nvcc -O3 -arch=native -o gpu-parameters scripts/gpu-parameters.cu && ./gpu-parameters > gpu-parameters.csv
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

namespace {

void check(cudaError_t code) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "gpu-parameters: %s\n", cudaGetErrorString(code));
    std::exit(4);
}

constexpr int kThreads = 1024, kBlocksPerSm = 2;
constexpr std::size_t kBuffer = std::size_t{1} << 30;

int sms() {
    int count = 0;
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return count;
}

void tell(const char* name, double value, const char* unit) { std::printf("%s,%.6g,%s\n", name, value, unit); }

/// Seconds of the fastest of some runs.
double seconds(const std::function<void()>& run) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    float best = 1e30f;
    for (int i = 0; i < 4; ++i) {
        check(cudaEventRecord(begin));
        run();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end));
        if (i > 0 && ms < best) best = ms;
    }
    check(cudaGetLastError());
    return best * 1e-3;
}

__global__ void empty() {}

// --- Latencies: each load's address is the value of the load before. ---

__global__ void link_chain(unsigned* chain, unsigned elements, unsigned step) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x)
        if (i % step == 0) chain[i] = (i + step) % elements;
}

template <bool kPastL1>
__global__ void follow_chain(const unsigned* chain, int steps, long long* clocks, unsigned* last) {
    unsigned at = 0;
    for (int warm = 0; warm < 2; ++warm) {
        const long long begin = clock64();
        for (int i = 0; i < steps; ++i) at = kPastL1 ? __ldcg(chain + at) : chain[at];
        *last = at;
        *clocks = clock64() - begin;
    }
}

__global__ void follow_shared(int steps, long long* clocks, unsigned* last) {
    __shared__ unsigned chain[64];
    chain[threadIdx.x] = (threadIdx.x + 1) % 64;
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned at = 0;
    const long long begin = clock64();
    for (int i = 0; i < steps; ++i) at = chain[at];
    *last = at;
    *clocks = clock64() - begin;
}

__global__ void wait_at_barriers(int steps, long long* clocks) {
    const long long begin = clock64();
    for (int i = 0; i < steps; ++i) __syncthreads();
    if (threadIdx.x == 0) *clocks = clock64() - begin;
}

void latencies(unsigned* buffer, long long* clocks) {
    const auto of = [&](const char* name, unsigned bytes, unsigned step_bytes, int steps, bool past_l1) {
        const unsigned elements = bytes / 4;
        link_chain<<<sms() * 8, 256>>>(buffer, elements, step_bytes / 4);
        // A chain that is followed once for each pass is in memory when other writes took its place in L2.
        if (bytes == kBuffer / 2) check(cudaMemset(buffer + kBuffer / 8, 0, kBuffer / 2));
        if (past_l1)
            follow_chain<true><<<1, 1>>>(buffer, steps, clocks, buffer + kBuffer / 4 - 1);
        else
            follow_chain<false><<<1, 1>>>(buffer, steps, clocks, buffer + kBuffer / 4 - 1);
        check(cudaDeviceSynchronize());
        tell(name, double(*clocks) / steps, "clocks");
    };
    of("latency L1", 1 << 14, 128, 128, false);
    of("latency L2", 1 << 22, 1024, 4096, true);
    of("latency L2, 32 MiB", 1 << 25, 8192, 4096, true);
    of("latency memory", 1 << 29, (1 << 14) + 128, 12000, true);
    follow_shared<<<1, 64>>>(4096, clocks, buffer);
    check(cudaDeviceSynchronize());
    tell("latency shared", double(*clocks) / 4096, "clocks");
    for (const int threads : {32, 128, 256, 512, 1024}) {
        wait_at_barriers<<<1, threads>>>(1024, clocks);
        check(cudaDeviceSynchronize());
        std::printf("barrier of %d threads,%.6g,clocks\n", threads, double(*clocks) / 1024);
    }
}

// --- Throughput of global memory: lanes `lane_bytes` apart, warps side by side, round and round in `words`. ---

template <class T>
__global__ void read_lanes(const unsigned char* data, std::size_t bytes, std::size_t lane_bytes, int rounds, T* out) {
    const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / 32;
    const std::size_t warp = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
    std::size_t at = (warp * 32 + threadIdx.x % 32) * lane_bytes % bytes;
    const std::size_t step = warps * 32 * lane_bytes % bytes;
    unsigned sum = 0;
#pragma unroll 4
    for (int i = 0; i < rounds; ++i) {
        const T value = __ldcg(reinterpret_cast<const T*>(data + at));
        sum += *reinterpret_cast<const unsigned*>(&value);
        at += step;
        if (at >= bytes) at -= bytes;
    }
    if (sum == 12345) *reinterpret_cast<unsigned*>(out) = sum;
}

template <class T>
__global__ void write_lanes(unsigned char* data, std::size_t bytes, std::size_t lane_bytes, int rounds) {
    const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / 32;
    const std::size_t warp = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
    std::size_t at = (warp * 32 + threadIdx.x % 32) * lane_bytes % bytes;
    const std::size_t step = warps * 32 * lane_bytes % bytes;
    for (int i = 0; i < rounds; ++i) {
        *reinterpret_cast<T*>(data + at) = T{};
        at += step;
        if (at >= bytes) at -= bytes;
    }
}

void throughputs(unsigned char* data) {
    const int blocks = sms() * kBlocksPerSm;
    const double warps = double(blocks) * kThreads / 32;
    const std::size_t small = std::size_t{16} << 20;
    const auto read = [&](const char* name, std::size_t bytes, std::size_t lane, auto kind, double sectors) {
        using T = decltype(kind);
        const int rounds = 256;
        const double time = seconds(
            [&] { read_lanes<T><<<blocks, kThreads>>>(data, bytes, lane, rounds, reinterpret_cast<T*>(data)); });
        tell(name, warps * rounds * sectors / time, "sectors/s");
    };
    read("L2 read, 16 bytes a lane", small, 16, uint4{}, 16);
    read("L2 read, 4 bytes a lane", small, 4, unsigned{}, 4);
    read("L2 read, a sector a lane", small, 32, unsigned{}, 32);
    read("L2 read, a line a lane", small, 128, unsigned{}, 32);
    read("L2 read, a page a lane", small, 4096 + 128, unsigned{}, 32);
    read("memory read, 16 bytes a lane", kBuffer, 16, uint4{}, 16);
    read("memory read, 4 bytes a lane", kBuffer, 4, unsigned{}, 4);
    read("memory read, a sector of two", kBuffer, 64, unsigned{}, 32);
    read("memory read, a sector of four", kBuffer, 128, unsigned{}, 32);
    read("memory read, a sector of 4 KiB", kBuffer, 4096 + 128, unsigned{}, 32);
    const auto write = [&](const char* name, std::size_t bytes, std::size_t lane, auto kind, double sectors) {
        using T = decltype(kind);
        const int rounds = 256;
        const double time = seconds([&] { write_lanes<T><<<blocks, kThreads>>>(data, bytes, lane, rounds); });
        tell(name, warps * rounds * sectors / time, "sectors/s");
    };
    write("L2 write, 16 bytes a lane", small, 16, uint4{}, 16);
    write("L2 write, 4 bytes a lane", small, 4, unsigned{}, 4);
    write("L2 write, 4 bytes of a sector a lane", small, 32, unsigned{}, 32);
    write("L2 write, 4 bytes of a line a lane", small, 128, unsigned{}, 32);
    write("L2 write, 1 byte a lane", small, 1, static_cast<unsigned char>(0), 1);
    write("memory write, 16 bytes a lane", kBuffer, 16, uint4{}, 16);
    write("memory write, 4 bytes of a sector a lane", kBuffer, 32, unsigned{}, 32);
    write("memory write, 4 bytes of a line a lane", kBuffer, 128, unsigned{}, 32);
}

// --- Atomics: lanes of a warp on `apart` different words, warps on words `warp_words` further. ---

template <class T, bool kReturns>
__global__ void add_global(T* cells, unsigned count, unsigned apart, unsigned warp_words, int rounds, T* out) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    T sum = 0;
    for (int i = 0; i < rounds; ++i) {
        T* const cell = cells + ((warp + i * 7) * warp_words + threadIdx.x % apart) % count;
        if constexpr (kReturns)
            sum += atomicAdd(cell, T(1));
        else
            atomicAdd(cell, T(1));
    }
    if (kReturns && sum == T(12345)) *out = sum;
}

template <class T>
__global__ void add_shared(unsigned apart, unsigned warp_words, int rounds, T* out) {
    __shared__ T cells[4096];
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) cells[i] = 0;
    __syncthreads();
    T* const cell = cells + (threadIdx.x / 32 * warp_words + threadIdx.x % apart) % 4096;
    for (int i = 0; i < rounds; ++i) atomicAdd(cell, T(1));
    __syncthreads();
    if (cells[threadIdx.x] == T(12345)) *out = cells[threadIdx.x];
}

template <class T>
void atomics(const char* type, T* cells) {
    const int blocks = sms() * kBlocksPerSm;
    const double warps = double(blocks) * kThreads / 32;
    constexpr unsigned kMany = 1u << 20;
    const auto global = [&](const char* name, auto returns, unsigned count, unsigned apart, unsigned words) {
        const int rounds = count == 1 ? 8 : 32;
        const double time = seconds(
            [&] { add_global<T, returns.value><<<blocks, kThreads>>>(cells, count, apart, words, rounds, cells); });
        std::printf("%s global atomics%s: %s,%.6g,requests/s\n", type, returns.value ? " with result" : "", name,
                    warps * rounds / time);
    };
    const std::false_type none{};
    const std::true_type old{};
    global("one cell", none, 1, 1, 0);
    global("one cell", old, 1, 1, 0);
    global("a cell a warp", none, kMany, 1, 32);
    global("a cell a warp", old, kMany, 1, 32);
    global("a cell a lane", none, kMany, 32, 32);
    global("a cell a lane", old, kMany, 32, 32);
    global("32 cells", none, 32, 32, 0);
    global("256 cells, 32 a warp", none, 256, 32, 32);
    global("256 cells, one a warp", none, 256, 1, 1);
    global("4096 cells, one a warp", none, 4096, 1, 1);
    const auto shared = [&](const char* name, unsigned apart, unsigned words) {
        const int rounds = 64;
        const double time = seconds([&] { add_shared<T><<<blocks, kThreads>>>(apart, words, rounds, cells); });
        std::printf("%s shared atomics: %s,%.6g,requests/s of an SM\n", type, name, warps * rounds / time / sms());
    };
    shared("a cell a lane", 32, 32);
    shared("16 cells a warp", 16, 32);
    shared("8 cells a warp", 8, 32);
    shared("2 cells a warp", 2, 32);
    shared("a cell a warp", 1, 32);
    shared("one cell", 1, 0);
}

/// As above, of words that nobody knows before: ptxas has no instruction of its own for adding one.
template <class T>
__global__ void add_shared_values(unsigned apart, unsigned warp_words, int rounds, T* out) {
    __shared__ T cells[4096];
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) cells[i] = 0;
    __syncthreads();
    T* const cell = cells + (threadIdx.x / 32 * warp_words + threadIdx.x % apart) % 4096;
    for (int i = 0; i < rounds; ++i) atomicAdd(cell, T(i + threadIdx.x % 7));
    __syncthreads();
    if (cells[threadIdx.x] == T(12345)) *out = cells[threadIdx.x];
}

template <class T>
void shared_values(const char* type, T* out) {
    const int blocks = sms() * kBlocksPerSm, rounds = 64;
    const auto add = [&](const char* name, unsigned apart, unsigned words) {
        const double time = seconds([&] { add_shared_values<T><<<blocks, kThreads>>>(apart, words, rounds, out); });
        std::printf("%s shared atomics of values: %s,%.6g,requests/s of an SM\n", type, name,
                    double(blocks) * kThreads / 32 * rounds / time / sms());
    };
    add("a cell a lane", 32, 32);
    add("8 cells a warp", 8, 32);
    add("2 cells a warp", 2, 32);
    add("a cell a warp", 1, 32);
    add("one cell", 1, 0);
}

/// Each thread adds by comparing and exchanging until nobody came between.
template <bool kShared>
__global__ void exchange(unsigned* cells, unsigned apart, int rounds) {
    __shared__ unsigned own[1024];
    own[threadIdx.x] = 0;
    __syncthreads();
    unsigned* const cell = (kShared ? own : cells) + threadIdx.x % apart;
    for (int i = 0; i < rounds; ++i) {
        unsigned old = *reinterpret_cast<volatile unsigned*>(cell), expected;
        do {
            expected = old;
            old = atomicCAS(cell, expected, expected + 1 + threadIdx.x % 7);
        } while (old != expected);
    }
}

void exchanges(unsigned* cells) {
    const auto add = [&](const char* name, auto shared, int blocks, int threads, unsigned apart) {
        const int rounds = 4;
        const double time = seconds([&] { exchange<shared.value><<<blocks, threads>>>(cells, apart, rounds); });
        std::printf("compare and swap, %s: %s,%.6g,s for each that succeeds\n", shared.value ? "shared" : "global",
                    name, time / (double(blocks) * threads * rounds));
    };
    const std::false_type global{};
    const std::true_type shared{};
    add("one cell, a warp", global, 1, 32, 1);
    add("one cell, 8 warps", global, 1, 256, 1);
    add("one cell, 64 blocks of 8 warps", global, 64, 256, 1);
    add("32 cells, 64 blocks of 8 warps", global, 64, 256, 32);
    add("one cell, a warp", shared, 1, 32, 1);
    add("one cell, 8 warps", shared, 1, 256, 1);
    add("one cell, 32 warps", shared, 1, 1024, 1);
}

/// Which lanes hold the same of so many values.
__global__ void match(unsigned values, int rounds, unsigned* out) {
    unsigned held = threadIdx.x % values, sum = 0;
    for (int i = 0; i < rounds; ++i) {
        sum += __match_any_sync(~0u, held);
        held += sum == 12345;
    }
    if (sum == 12345) *out = sum;
}

void matches(unsigned* out) {
    const int blocks = sms() * kBlocksPerSm, rounds = 64;
    for (unsigned values = 1; values <= 32; values *= 2) {
        const double time = seconds([&] { match<<<blocks, kThreads>>>(values, rounds, out); });
        std::printf("match of the lanes that hold one of %u values,%.6g,warp instructions/s of an SM\n", values,
                    double(blocks) * kThreads / 32 * rounds / time / sms());
    }
}

// --- The host's memory, as a kernel reaches it. ---

template <class T>
__global__ void read_all(const T* in, std::size_t n, T* out) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    T last{};
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) last = in[i];
    if (reinterpret_cast<const unsigned&>(last) == 12345) *out = last;
}

template <class T>
__global__ void write_all(T* out, std::size_t n) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) out[i] = T{};
}

void host_memory(unsigned* out) {
    constexpr std::size_t kBytes = 64 << 20;
    unsigned* host = nullptr;
    check(cudaMallocHost(&host, kBytes));
    for (std::size_t i = 0; i < kBytes / 4; ++i) host[i] = 0;
    const auto rate = [&](const char* name, const std::function<void()>& run) {
        tell(name, kBytes / seconds(run), "bytes/s");
    };
    const int blocks = sms() * kBlocksPerSm;
    rate("host memory written, 16 bytes a lane",
         [&] { write_all<<<blocks, kThreads>>>(reinterpret_cast<uint4*>(host), kBytes / 16); });
    rate("host memory written, 4 bytes a lane", [&] { write_all<<<blocks, kThreads>>>(host, kBytes / 4); });
    const double small = seconds([&] { read_all<<<1, 32>>>(host, 32, out); });
    const double own = seconds([&] { read_all<<<1, 32>>>(out, 32, out); });
    tell("a load of host memory, longer than one of memory", small - own, "s");
    check(cudaFreeHost(host));
}

/// Atomic for the threads of the block alone; blocks have cells of their own.
template <class T, bool kReturns>
__global__ void add_in_block(T* cells, unsigned apart, int rounds, T* out) {
    T* const cell = cells + blockIdx.x * 1024 + threadIdx.x % apart;
    T sum = 0;
    for (int i = 0; i < rounds; ++i) {
        // A value that differs from lane to lane and from round to round: nothing is added up beforehand.
        const T value = T(i + threadIdx.x % 7);
        if constexpr (kReturns)
            sum += atomicAdd_block(cell, value);
        else
            atomicAdd_block(cell, value);
    }
    if (kReturns && sum == T(12345)) *out = sum;
}

template <class T>
void block_atomics(const char* type, T* cells) {
    const int blocks = sms() * kBlocksPerSm, rounds = 64;
    const auto add = [&](const char* name, auto returns, unsigned apart) {
        const double time =
            seconds([&] { add_in_block<T, returns.value><<<blocks, kThreads>>>(cells, apart, rounds, cells); });
        std::printf("%s block atomics%s: %s,%.6g,requests/s of an SM\n", type, returns.value ? " with result" : "",
                    name, double(blocks) * kThreads / 32 * rounds / time / sms());
    };
    const std::false_type none{};
    const std::true_type old{};
    add("one cell a block", none, 1);
    add("one cell a block", old, 1);
    add("8 cells a block", old, 8);
    add("a cell a lane", none, 32);
    add("a cell a lane", old, 32);
}

// --- What it takes to begin a kernel, where kernels do nothing. ---

void launches() {
    constexpr int kMany = 100;
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    const auto each = [&](const char* name, bool waits) {
        const double time = seconds([&] {
            for (int i = 0; i < kMany; ++i) {
                empty<<<1, 32, 0, stream>>>();
                if (waits) check(cudaStreamSynchronize(stream));
            }
            check(cudaStreamSynchronize(stream));
        });
        tell(name, time / kMany, "s");
    };
    each("an empty kernel after another", false);
    each("an empty kernel that the host launches when the one before has ended", true);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < kMany; ++i) empty<<<1, 32, 0, stream>>>();
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&executable, graph, 0));
    const double time = seconds([&] {
        check(cudaGraphLaunch(executable, stream));
        check(cudaStreamSynchronize(stream));
    });
    tell("an empty kernel after another in a graph", time / kMany, "s");
}

// --- Instructions, four independent chains a thread. ---

template <int kWhat>
__device__ void operate(unsigned& x, double& d) {
    if constexpr (kWhat == 0) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(reinterpret_cast<float&>(x)));
    if constexpr (kWhat == 1) asm volatile("mad.lo.u32 %0, %0, %0, %0;" : "+r"(x));
    if constexpr (kWhat == 2) asm volatile("add.u32 %0, %0, 77;" : "+r"(x));
    if constexpr (kWhat == 3) asm volatile("shf.l.wrap.b32 %0, %0, %0, 7;" : "+r"(x));
    if constexpr (kWhat == 4) asm volatile("ex2.approx.f32 %0, %0;" : "+f"(reinterpret_cast<float&>(x)));
    if constexpr (kWhat == 5) asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(d));
    if constexpr (kWhat == 6) asm volatile("cvt.rn.f32.u32 %0, %1;" : "=f"(reinterpret_cast<float&>(x)) : "r"(x));
    if constexpr (kWhat == 7) x = __shfl_xor_sync(~0u, x, 1);
    if constexpr (kWhat == 8) asm volatile("prmt.b32 %0, %0, %0, 0x2103;" : "+r"(x));
    if constexpr (kWhat == 9) asm volatile("min.s32 %0, %0, 77;" : "+r"(x));
    if constexpr (kWhat == 10) x = __popc(x) + 1;
}

template <int kWhat>
__global__ void repeat(int rounds, unsigned* out) {
    unsigned x[4] = {threadIdx.x, threadIdx.x + 1, threadIdx.x + 2, threadIdx.x + 3};
    double d[4] = {1.0, 2.0, 3.0, 4.0};
    for (int i = 0; i < rounds; ++i)
#pragma unroll
        for (int k = 0; k < 32; ++k) operate<kWhat>(x[k % 4], d[k % 4]);
    if (x[0] + x[1] + x[2] + x[3] + unsigned(d[0] + d[1] + d[2] + d[3]) == 12345) *out = x[0];
}

template <int kWhat>
void instruction(const char* name, unsigned* out) {
    const int rounds = 256, blocks = sms() * kBlocksPerSm;
    const double time = seconds([&] { repeat<kWhat><<<blocks, kThreads>>>(rounds, out); });
    std::printf("instructions: %s,%.6g,warp instructions/s of an SM\n", name,
                double(blocks) * kThreads / 32 * rounds * 32 / time / sms());
}

}  // namespace

int main() {
    unsigned char* data = nullptr;
    long long* clocks = nullptr;
    check(cudaMalloc(&data, kBuffer + 65536));
    check(cudaMemset(data, 0, kBuffer + 65536));
    check(cudaMallocManaged(&clocks, sizeof *clocks));
    auto* const words = reinterpret_cast<unsigned*>(data);
    tell("empty kernel between two events", seconds([] { empty<<<1, 32>>>(); }), "s");
    tell("empty kernel of 132 blocks", seconds([] { empty<<<132, 256>>>(); }), "s");
    tell("empty kernel of 1 million blocks", seconds([] { empty<<<1 << 20, 32>>>(); }), "s");
    tell("empty kernel of 1 million large blocks", seconds([] { empty<<<1 << 20, 256>>>(); }), "s");
    const double ten = seconds([] {
        for (int i = 0; i < 10; ++i) empty<<<1, 32>>>();
    });
    tell("nine more empty kernels", ten - seconds([] { empty<<<1, 32>>>(); }), "s");
    latencies(words, clocks);
    throughputs(data);
    check(cudaMemset(data, 0, kBuffer));
    atomics("int32", reinterpret_cast<int*>(data));
    atomics("float32", reinterpret_cast<float*>(data));
    atomics("float64", reinterpret_cast<double*>(data));
    atomics("uint64", reinterpret_cast<unsigned long long*>(data));
    block_atomics("int32", reinterpret_cast<int*>(data));
    block_atomics("float32", reinterpret_cast<float*>(data));
    block_atomics("float64", reinterpret_cast<double*>(data));
    block_atomics("uint64", reinterpret_cast<unsigned long long*>(data));
    shared_values("int32", reinterpret_cast<int*>(data));
    shared_values("float32", reinterpret_cast<float*>(data));
    shared_values("uint64", reinterpret_cast<unsigned long long*>(data));
    exchanges(words);
    matches(words);
    host_memory(words);
    launches();
    instruction<0>("FFMA", words);
    instruction<1>("IMAD", words);
    instruction<2>("IADD", words);
    instruction<3>("SHF", words);
    instruction<4>("MUFU", words);
    instruction<5>("DFMA", words);
    instruction<6>("I2F", words);
    instruction<7>("SHFL", words);
    instruction<8>("PRMT", words);
    instruction<9>("IMNMX", words);
    instruction<10>("POPC", words);
}
