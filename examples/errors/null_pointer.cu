// Shows: a kernel that writes through a null pointer is launched without complaint, and fails while it runs.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void store(int* address) { *address = 1; }

void tell(const char* what, cudaError_t code) {
    std::printf("%s: %s (%s)\n", what, cudaGetErrorName(code), cudaGetErrorString(code));
}

int main() {
    int* nowhere = nullptr;
    store<<<1, 1>>>(nowhere);
    tell("cudaDeviceSynchronize", cudaDeviceSynchronize());
}
