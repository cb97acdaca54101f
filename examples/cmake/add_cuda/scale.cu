// A kernel and its launcher, in a file of their own.
#include "scale.hpp"

namespace {
__global__ void multiply(float* numbers, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) numbers[i] *= FACTOR;
}
}  // namespace

void scale(float* numbers, int n) {
    multiply<<<(n + 127) / 128, 128>>>(numbers, n);
    cudaDeviceSynchronize();
}
