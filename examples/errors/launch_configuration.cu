// Shows: a launch that no GPU can hold returns nothing; who asks right after it learns why, and the next one works.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

void tell(const char* what, cudaError_t code) {
    std::printf("%s: %s (%s)\n", what, cudaGetErrorName(code), cudaGetErrorString(code));
}

int main() {
    int* out = nullptr;
    tell("cudaMalloc", cudaMalloc(&out, 4096 * sizeof(int)));
    fill<<<4, 1025>>>(out);
    tell("1025 threads per block", cudaGetLastError());
    fill<<<4, dim3(64, 32)>>>(out);
    tell("64 x 32 threads per block", cudaGetLastError());
    fill<<<0, 256>>>(out);
    tell("a grid of no blocks", cudaGetLastError());
    fill<<<dim3(1, 65536), 1>>>(out);
    tell("65536 blocks in y", cudaGetLastError());
    fill<<<4, 1024>>>(out);
    tell("1024 threads per block", cudaGetLastError());
    tell("cudaDeviceSynchronize", cudaDeviceSynchronize());
    tell("cudaFree", cudaFree(out));
}
