// __shared__ variables of a header's, used by the file that includes it.
#include "shared_of_header.cuh"

#include <cstdio>

__device__ void add_up() {
    volatile int* mine = parts[threadIdx.x / 32];
    atomicAdd(&total, mine[threadIdx.x % 32]);
}

__global__ void sum(int* out) {
    if (threadIdx.x == 0) total = 0;
    parts[threadIdx.x / 32][threadIdx.x % 32] = int(threadIdx.x);
    __syncthreads();
    add_up();
    __syncthreads();
    if (threadIdx.x == 0) *out = total;
}

int main() {
    int* out;
    cudaMallocManaged(&out, sizeof(int));
    sum<<<1, kThreads>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
}
