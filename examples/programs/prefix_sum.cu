// A prefix sum of any length: blocks scan their parts, one block scans the totals, all blocks add what came before.
#include <cstdio>

constexpr int kBlock = 256;

__device__ int scan_block(int value, int* shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int step = 1; step < kBlock; step *= 2) {
        const int before = threadIdx.x >= step ? shared[threadIdx.x - step] : 0;
        __syncthreads();
        shared[threadIdx.x] += before;
        __syncthreads();
    }
    return shared[threadIdx.x];
}

__global__ void scan_parts(const int* in, int* out, int* totals, int n) {
    __shared__ int shared[kBlock];
    const int i = blockIdx.x * kBlock + threadIdx.x;
    const int sum = scan_block(i < n ? in[i] : 0, shared);
    if (i < n) out[i] = sum;
    if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = sum;
}

__global__ void scan_totals(int* totals, int parts) {
    __shared__ int shared[kBlock];
    const int sum = scan_block(threadIdx.x < parts ? totals[threadIdx.x] : 0, shared);
    if (threadIdx.x < parts) totals[threadIdx.x] = sum;
}

__global__ void add_totals(int* out, const int* totals, int n) {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += totals[blockIdx.x - 1];
}

int main() {
    const int n = 20000, parts = (n + kBlock - 1) / kBlock;
    int *in, *out, *totals;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&totals, parts * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i % 7 - 2;
    scan_parts<<<parts, kBlock>>>(in, out, totals, n);
    scan_totals<<<1, kBlock>>>(totals, parts);
    add_totals<<<parts, kBlock>>>(out, totals, n);
    cudaDeviceSynchronize();
    int wrong = 0, sum = 0;
    for (int i = 0; i < n; ++i) wrong += (sum += in[i]) != out[i];
    printf("%d wrong; the sum is %d\n", wrong, out[n - 1]);
}
