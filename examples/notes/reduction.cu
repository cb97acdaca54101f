// A sum by four kernels: neighbours first (divergent), a strided index, halves, and an addition while loading, which
// needs half the blocks. Block results are joined by an atomic operation; the input is left as it is.
#include "check.hpp"

constexpr int kThreads = 128;

__global__ void interleaved(const int* in, int n, int* total) {
    __shared__ int part[kThreads];
    const unsigned t = threadIdx.x, i = blockIdx.x * kThreads + t;
    part[t] = i < static_cast<unsigned>(n) ? in[i] : 0;
    __syncthreads();
    for (unsigned step = 1; step < kThreads; step *= 2) {
        if (t % (2 * step) == 0) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) atomicAdd(total, part[0]);
}

__global__ void strided_index(const int* in, int n, int* total) {
    __shared__ int part[kThreads];
    const unsigned t = threadIdx.x, i = blockIdx.x * kThreads + t;
    part[t] = i < static_cast<unsigned>(n) ? in[i] : 0;
    __syncthreads();
    for (unsigned step = 1; step < kThreads; step *= 2) {
        const unsigned at = 2 * step * t;
        if (at < kThreads) part[at] += part[at + step];
        __syncthreads();
    }
    if (t == 0) atomicAdd(total, part[0]);
}

__device__ void add_halves(int* part, int* total) {
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(total, part[0]);
}

__global__ void sequential(const int* in, int n, int* total) {
    __shared__ int part[kThreads];
    const unsigned i = blockIdx.x * kThreads + threadIdx.x;
    part[threadIdx.x] = i < static_cast<unsigned>(n) ? in[i] : 0;
    __syncthreads();
    add_halves(part, total);
}

__global__ void add_on_load(const int* in, int n, int* total) {
    __shared__ int part[kThreads];
    const unsigned i = blockIdx.x * kThreads * 2 + threadIdx.x, last = static_cast<unsigned>(n);
    part[threadIdx.x] = (i < last ? in[i] : 0) + (i + kThreads < last ? in[i + kThreads] : 0);
    __syncthreads();
    add_halves(part, total);
}

int main() {
    constexpr int n = 10001;  // the last block is not full, and their number is odd
    int *const in = managed<int>(n), *const total = managed<int>(1);
    int expected = 0;
    for (int i = 0; i < n; ++i) expected += in[i] = i % 17 - 5;
    struct Step {
        const char* name;
        void (*kernel)(const int*, int, int*);
        int each;
    };
    for (const Step& step : {Step{"interleaved", interleaved, 1}, Step{"strided index", strided_index, 1},
                             Step{"sequential", sequential, 1}, Step{"add on load", add_on_load, 2}}) {
        *total = 0;
        const int covered = kThreads * step.each;
        step.kernel<<<(n + covered - 1) / covered, kThreads>>>(in, n, total);
        check_launch();
        std::printf("%s: %d, %s\n", step.name, *total, *total == expected ? "right" : "wrong");
    }
    check(cudaFree(in));
    check(cudaFree(total));
}
