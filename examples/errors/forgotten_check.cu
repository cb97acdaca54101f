// Shows: nobody looks at the launch. Nothing is computed, every later call succeeds, and the program ends well.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add_one(int* values, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) values[i] += 1;
}

int main() {
    constexpr int kCount = 100000, kThreads = 1025;  // one too many
    std::vector<int> host(kCount, 41);
    int* values = nullptr;
    cudaMalloc(&values, kCount * sizeof(int));
    cudaMemcpy(values, host.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
    add_one<<<(kCount + kThreads - 1) / kThreads, kThreads>>>(values, kCount);
    const cudaError_t waited = cudaDeviceSynchronize();
    const cudaError_t copied = cudaMemcpy(host.data(), values, kCount * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(values);
    std::printf("cudaDeviceSynchronize: %s\ncudaMemcpy: %s\n", cudaGetErrorName(waited), cudaGetErrorName(copied));
    std::printf("41 + 1 = %d\n", host[0]);
}
