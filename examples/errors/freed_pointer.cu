// Shows: a pointer that outlives its memory. Here the whole allocation was alone and is gone, so the kernel fails; a
// small one shares its pages with others, and the kernel would write over them.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>

__global__ void store(int* address) { *address = 1; }

void tell(const char* what, cudaError_t code) {
    std::printf("%s: %s (%s)\n", what, cudaGetErrorName(code), cudaGetErrorString(code));
}

int main() {
    constexpr std::size_t kBytes = std::size_t{64} << 20;
    int* values = nullptr;
    tell("cudaMalloc", cudaMalloc(&values, kBytes));
    tell("cudaFree", cudaFree(values));
    store<<<1, 1>>>(values);
    tell("cudaDeviceSynchronize", cudaDeviceSynchronize());
}
