// 256 bins of bytes: atomic operations in global memory, and in a copy of the bins that each block has.
#include "check.hpp"

constexpr int kBins = 256;

__global__ void global_atomics(const unsigned char* bytes, int n, unsigned* bins) {
    const int step = static_cast<int>(gridDim.x * blockDim.x);
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step)
        atomicAdd(&bins[bytes[i]], 1u);
}

__global__ void shared_private(const unsigned char* bytes, int n, unsigned* bins) {
    __shared__ unsigned own[kBins];
    own[threadIdx.x] = 0;
    __syncthreads();
    const int step = static_cast<int>(gridDim.x * blockDim.x);
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step)
        atomicAdd(&own[bytes[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
    constexpr int n = 50001;
    auto* const bytes = managed<unsigned char>(n);
    auto* const bins = managed<unsigned>(kBins);
    unsigned expected[kBins] = {};
    for (int i = 0; i < n; ++i)
        ++expected[bytes[i] = static_cast<unsigned char>((static_cast<unsigned>(i) * 2654435761u) >> 25)];
    const auto run = [&](const char* name, void (*kernel)(const unsigned char*, int, unsigned*)) {
        check(cudaMemset(bins, 0, kBins * sizeof(unsigned)));
        kernel<<<8, kBins>>>(bytes, n, bins);
        check_launch();
        int wrong = 0;
        for (int i = 0; i < kBins; ++i) wrong += bins[i] != expected[i];
        std::printf("%s: %d wrong\n", name, wrong);
    };
    run("global atomics", global_atomics);
    run("shared, private", shared_private);
    check(cudaFree(bytes));
    check(cudaFree(bins));
}
