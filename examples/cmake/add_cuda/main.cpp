// A file of the host, which calls the runtime itself.
#include <cuda_runtime.h>

#include <cstdio>

#include "scale.hpp"

int main() {
    constexpr int n = 1000;
    float* numbers = nullptr;
    if (cudaMallocManaged(&numbers, n * sizeof(float)) != cudaSuccess) return 1;
    for (int i = 0; i < n; ++i) numbers[i] = static_cast<float>(i);
    scale(numbers, n);
    std::printf("%g %g\n", static_cast<double>(numbers[1]), static_cast<double>(numbers[n - 1]));
    return cudaFree(numbers) == cudaSuccess ? 0 : 1;
}
