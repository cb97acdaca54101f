// Grids on the simt device: every thread runs once with its own indices, arguments and shared memory.
#include <cfenv>
#include <limits>
#include <numeric>
#include <thread>

#include "tests/simt/engine_grid.hpp"

namespace {

__global__ void write_linear_index(long* out) {
    const long block = blockIdx.x + long{gridDim.x} * (blockIdx.y + long{gridDim.y} * blockIdx.z);
    const long thread = threadIdx.x + long{blockDim.x} * (threadIdx.y + long{blockDim.y} * threadIdx.z);
    out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] += block * 100000 + thread;
}

TEST_F(Engine, RunsEveryThreadOnceWithItsIndices) {
    const dim3 grid(5, 3, 2), block(7, 5, 3);
    const long threads = 105;
    for (const int workers : {1, 2, 5}) {
        set_worker_count(workers);
        std::vector<long> out(30 * threads);
        write_linear_index<<<grid, block>>>(out.data());
        ASSERT_EQ(failure(), cudaSuccess) << detail;
        for (long i = 0; i < std::ssize(out); ++i) ASSERT_EQ(out[i], i / threads * 100000 + i % threads);
    }
}

struct Pair {
    int a;
    double b;
};

__global__ void consume_arguments(Pair pair, int value, char letter, double* out) {
    out[threadIdx.x] = pair.a + pair.b + value + letter;
    pair.a = value = letter = 0;  // a kernel's parameters are the thread's own
}

TEST_F(Engine, GivesEveryThreadItsOwnCopyOfArgumentsEvaluatedOnce) {
    std::vector<double> out(64);
    int evaluations = 0;
    const auto value = [&] {
        ++evaluations;
        return 3;
    };
    consume_arguments<<<1, 64>>>(Pair{1, 0.5}, value(), 'A', out.data());
    EXPECT_EQ(evaluations, 1);
    EXPECT_EQ(out, std::vector<double>(64, 1 + 0.5 + 3 + 'A'));
}

template <class T, int Size>
__global__ void reverse_in_shared(T* data) {
    __shared__ T staged[Size];
    __shared__ T other[Size];
    const int block = blockIdx.x * Size, i = threadIdx.x;
    staged[i] = data[block + i];
    other[i] = staged[i] + 1;
    __syncthreads();
    data[block + i] = staged[Size - 1 - i] + other[Size - 1 - i];
}

TEST_F(Engine, GivesEveryBlockItsOwnSharedVariables) {
    for (int repeat = 0; repeat < 3; ++repeat) {
        std::vector<int> data(40 * 96);
        std::iota(data.begin(), data.end(), 0);
        reverse_in_shared<int, 96><<<40, 96>>>(data.data());
        ASSERT_EQ(failure(), cudaSuccess) << detail;
        for (int i = 0; i < std::ssize(data); ++i) ASSERT_EQ(data[i], 2 * (i / 96 * 96 + 95 - i % 96) + 1);
    }
}

__global__ void mix_static_and_dynamic(double* out, int count) {
    extern __shared__ double dynamic[];
    __shared__ double fixed[32];
    for (int i = threadIdx.x; i < count; i += blockDim.x) dynamic[i] = i;
    fixed[threadIdx.x] = -1;
    __syncthreads();
    double sum = fixed[31 - threadIdx.x];
    for (int i = 0; i < count; ++i) sum += dynamic[i];
    out[threadIdx.x] = sum;
}

TEST_F(Engine, KeepsDynamicAndStaticSharedMemoryApart) {
    allow_dynamic_shared(reinterpret_cast<const void*>(mix_static_and_dynamic), 20000 * sizeof(double));
    for (const int count : {1, 100, 6144, 20000}) {
        std::vector<double> out(32);
        mix_static_and_dynamic<<<1, 32, count * sizeof(double)>>>(out.data(), count);
        ASSERT_EQ(failure(), cudaSuccess) << detail;
        EXPECT_EQ(out, std::vector<double>(32, count * (count - 1.0) / 2 - 1));
    }
}

__global__ void align_shared(std::size_t* misaligned) {
    extern __shared__ char dynamic[];
    __shared__ char odd[3];
    __shared__ __align__(128) float wide[4];
    odd[0] = 0;
    wide[0] = 0;
    *misaligned = reinterpret_cast<std::size_t>(dynamic) % 1024 + reinterpret_cast<std::size_t>(wide) % 128;
}

TEST_F(Engine, AlignsSharedMemoryAsDeclared) {
    std::size_t misaligned = 1;
    align_shared<<<1, 1, 5>>>(&misaligned);
    EXPECT_EQ(misaligned, 0u);
}

__global__ void add_one(int* counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

TEST_F(Engine, TakesLaunchesFromSeveralHostThreads) {
    int counter = 0;
    std::vector<std::thread> hosts;
    for (int host = 0; host < 4; ++host) {
        hosts.emplace_back([&] {
            for (int launch = 0; launch < 50; ++launch) add_one<<<8, 33>>>(&counter);
        });
    }
    for (std::thread& host : hosts) host.join();
    EXPECT_EQ(counter, 4 * 50 * 8 * 33);
}

// Three thirds are one to the nearest alone; half of the smallest normal number is none where subnormal ones are
// flushed.
__global__ void compute_floats(float* thirds, float* halves, float three, float smallest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    thirds[i] = 1 / three * three;
    halves[i] = smallest / 2;
}

TEST_F(Engine, ComputesAsAGpuDoesWhateverTheHostHasSet) {
    const float smallest = std::numeric_limits<float>::min();
    for (const int workers : {1, 3})
        for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
            set_worker_count(workers);
            std::vector<float> thirds(12 * 64), halves(12 * 64);
            std::fesetround(mode);
#if defined(__SSE__)
            constexpr unsigned kFlush = 0x8040;  // subnormal results are zeros, and such operands are read as zeros
            const unsigned before = __builtin_ia32_stmxcsr();
            __builtin_ia32_ldmxcsr(before | kFlush);
#endif
            compute_floats<<<12, 64>>>(thirds.data(), halves.data(), 3, smallest);
            const int kept = std::fegetround();
#if defined(__SSE__)
            const unsigned flushes = __builtin_ia32_stmxcsr() & kFlush;
            __builtin_ia32_ldmxcsr(before);
            EXPECT_EQ(flushes, kFlush) << "the host's own is as it was";
#endif
            std::fesetround(FE_TONEAREST);
            EXPECT_EQ(kept, mode) << "the host's own is as it was";
            EXPECT_EQ(thirds, std::vector<float>(thirds.size(), 1)) << mode << ", " << workers << " workers";
            EXPECT_EQ(halves, std::vector<float>(halves.size(), smallest / 2)) << workers << " workers";
        }
}

}  // namespace
