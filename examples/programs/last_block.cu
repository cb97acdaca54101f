// A sum in one launch: each block leaves its part, and the block that finds itself the last adds the parts up.
#include <cstdio>

constexpr int kBlock = 128;
__device__ unsigned finished;

__device__ int sum_of_block(int value, int* shared) {
    shared[threadIdx.x] = value;
    for (int step = kBlock / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) shared[threadIdx.x] += shared[threadIdx.x + step];
    }
    __syncthreads();
    return shared[0];
}

__global__ void sum(const int* in, int n, int* parts, int* total) {
    __shared__ int shared[kBlock];
    __shared__ bool last;
    int own = 0;
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) own += in[i];
    const int part = sum_of_block(own, shared);
    if (threadIdx.x == 0) {
        atomicExch(&parts[blockIdx.x], part);
        __threadfence();
        last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    int rest = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += kBlock) rest += atomicAdd(&parts[i], 0);
    const int all = sum_of_block(rest, shared);
    if (threadIdx.x == 0) *total = all;
}

int main() {
    const int n = 50000, blocks = 24;
    int *in, *parts, *total;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&parts, blocks * sizeof(int));
    cudaMallocManaged(&total, sizeof(int));
    int expected = 0;
    for (int i = 0; i < n; ++i) expected += in[i] = i % 23 - 5;
    for (int i = 0; i < blocks; ++i) parts[i] = 0;
    sum<<<blocks, kBlock>>>(in, n, parts, total);
    cudaDeviceSynchronize();
    printf("%d, %s\n", *total, *total == expected ? "right" : "wrong");
}
