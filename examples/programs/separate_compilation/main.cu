// Separate compilation: a kernel calls a function, and reads variables, of the device that another file defines.
//
//     lanework run -rdc=true main.cu polynomial.cu        nvcc takes the same words
//
// Without -rdc=true nvcc's ptxas ends with "Unresolved extern function"; with it the call stays a call, which
// `lanework info`'s registers and `explain`'s lines show: the reads of `leading` are counted in polynomial.cu.
#include <cstdio>

#include "polynomial.cuh"

__global__ void evaluate(float* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = polynomial(static_cast<float>(i)) - leading + coefficients[0];
}

int main() {
    constexpr int kCount = 100;
    float* out = nullptr;
    cudaMallocManaged(&out, kCount * sizeof(float));
    evaluate<<<1, 128>>>(out, kCount);
    std::printf("%s: p(2) - 1 = %g\n", cudaGetErrorName(cudaDeviceSynchronize()), out[2]);
    cudaFree(out);
}
