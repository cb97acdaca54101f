// Shows: an access of 16 bytes at an address that is no multiple of 16.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void store(int* address) { *reinterpret_cast<int4*>(address) = make_int4(1, 2, 3, 4); }

void tell(const char* what, cudaError_t code) {
    std::printf("%s: %s (%s)\n", what, cudaGetErrorName(code), cudaGetErrorString(code));
}

int main() {
    int* values = nullptr;
    tell("cudaMalloc", cudaMalloc(&values, 1024 * sizeof(int)));
    store<<<1, 1>>>(values + 4);
    tell("values + 4", cudaDeviceSynchronize());
    store<<<1, 1>>>(values + 1);
    tell("values + 1", cudaDeviceSynchronize());
}
