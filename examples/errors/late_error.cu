// Shows: a kernel runs while the host goes on, so that its error is returned by a later call that has no part in it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void store_late(int* address, long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
    *address = 1;
}

void tell(const char* what, cudaError_t code) {
    std::printf("%s: %s (%s)\n", what, cudaGetErrorName(code), cudaGetErrorString(code));
}

int main() {
    int* values = nullptr;
    tell("cudaMalloc", cudaMalloc(&values, sizeof(int)));
    int* nowhere = nullptr;
    store_late<<<1, 1>>>(nowhere, 200'000'000);  // a tenth of a second, then it fails
    tell("right after the launch", cudaGetLastError());
    tell("cudaMemset of other memory", cudaMemset(values, 0, sizeof(int)));
    const int one = 1;
    tell("cudaMemcpy to other memory", cudaMemcpy(values, &one, sizeof(int), cudaMemcpyHostToDevice));
    tell("cudaDeviceSynchronize", cudaDeviceSynchronize());
}
