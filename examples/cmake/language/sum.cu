// Each block adds its part up in shared memory.
#include "sum.hpp"

namespace {
constexpr int kThreads = 128;

__global__ void add_up(const int* numbers, int n, int* total) {
    __shared__ int part[kThreads];
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    part[threadIdx.x] = i < n ? numbers[i] : 0;
    __syncthreads();
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(total, part[0]);
}
}  // namespace

int sum(const int* numbers, int n) {
    int* total = nullptr;
    cudaMallocManaged(&total, sizeof(int));
    *total = 0;
    add_up<<<(n + kThreads - 1) / kThreads, kThreads>>>(numbers, n, total);
    cudaDeviceSynchronize();
    const int result = *total;
    cudaFree(total);
    return result;
}
