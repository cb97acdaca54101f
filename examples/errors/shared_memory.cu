// Shows: more than 48 KiB of shared memory must be asked for, and no device has 300 KiB of it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void sum(float* out) {
    extern __shared__ float values[];
    values[threadIdx.x] = 1.0F;
    __syncthreads();
    if (threadIdx.x == 0) *out = values[0] + values[1];
}

void tell(const char* what, cudaError_t code) {
    std::printf("%s: %s (%s)\n", what, cudaGetErrorName(code), cudaGetErrorString(code));
}

int main() {
    float* out = nullptr;
    tell("cudaMalloc", cudaMalloc(&out, sizeof(float)));
    sum<<<1, 32, 48 * 1024>>>(out);
    tell("48 KiB", cudaGetLastError());
    sum<<<1, 32, 300 * 1024>>>(out);
    tell("300 KiB", cudaGetLastError());
    sum<<<1, 32, 64 * 1024>>>(out);
    tell("64 KiB, not asked for", cudaGetLastError());
    tell("cudaFuncSetAttribute", cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
    sum<<<1, 32, 64 * 1024>>>(out);
    tell("64 KiB, asked for", cudaGetLastError());
    tell("cudaDeviceSynchronize", cudaDeviceSynchronize());
    tell("cudaFree", cudaFree(out));
}
