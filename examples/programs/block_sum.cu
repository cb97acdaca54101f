// Shows: shared memory and barriers: each block sums its part in a tree, and one atomic operation adds it up.
#include <cstdio>

constexpr int kThreads = 256;

__global__ void sum(const int* in, int n, int* total) {
    __shared__ int part[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(total, part[0]);
}

int main() {
    constexpr int n = 10000;
    int *in, *total;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&total, sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i;
    *total = 0;
    sum<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, n, total);
    cudaDeviceSynchronize();
    std::printf("the sum of 0 to %d is %d\n", n - 1, *total);
    cudaFree(in);
    cudaFree(total);
    return 0;
}
