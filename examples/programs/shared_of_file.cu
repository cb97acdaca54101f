// __shared__ variables outside of functions: a kernel and the functions that it calls use one block's memory.
#include <cstdio>

__shared__ int tile[64];
static __shared__ int total;

__device__ void load(const int* in) { tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x]; }

__global__ void reverse(const int* in, int* out, int* sums) {
    if (threadIdx.x == 0) total = 0;
    load(in);
    __syncthreads();
    atomicAdd(&total, tile[threadIdx.x]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[sizeof(tile) / sizeof(tile[0]) - 1 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

int main() {
    int *in, *out, *sums;
    cudaMallocManaged(&in, 192 * sizeof(int));
    cudaMallocManaged(&out, 192 * sizeof(int));
    cudaMallocManaged(&sums, 3 * sizeof(int));
    for (int i = 0; i < 192; ++i) in[i] = i;
    reverse<<<3, 64>>>(in, out, sums);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < 192; ++i) wrong += out[i] != i / 64 * 64 + 63 - i % 64;
    printf("%d wrong; sums %d %d %d\n", wrong, sums[0], sums[1], sums[2]);
}
