// Shows: after a kernel has failed, every call fails, whatever it is about; a get does not help. Last, what a reset
// does.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void store(int* address) { *address = 1; }
__global__ void nothing() {}

void tell(const char* what, cudaError_t code) {
    std::printf("%s: %s (%s)\n", what, cudaGetErrorName(code), cudaGetErrorString(code));
}

int main() {
    int* values = nullptr;
    int copy = 0;
    tell("cudaMalloc", cudaMalloc(&values, sizeof(int)));
    int* nowhere = nullptr;
    store<<<1, 1>>>(nowhere);
    tell("cudaDeviceSynchronize", cudaDeviceSynchronize());
    tell("cudaGetLastError", cudaGetLastError());
    tell("cudaGetLastError again", cudaGetLastError());
    nothing<<<1, 1>>>();
    tell("another kernel", cudaGetLastError());
    tell("cudaMemcpy", cudaMemcpy(&copy, values, sizeof(int), cudaMemcpyDeviceToHost));
    int* others = nullptr;
    tell("cudaMalloc", cudaMalloc(&others, sizeof(int)));
    tell("cudaFree", cudaFree(values));
    tell("cudaDeviceReset", cudaDeviceReset());
    tell("cudaMalloc after the reset", cudaMalloc(&others, sizeof(int)));
}
