// Wrong: the last block has threads for which there is no element, and none is asked. Each of the three arrays is left,
// by one index. Right: if (i < n).
// finding: out_of_bounds at line 8, of 1
#include <cstdio>

__global__ void axpy(float a, const float* x, const float* y, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float scaled = a * x[i];
    const float sum = scaled + y[i];
    out[i] = sum;
}

int main() {
    constexpr int n = 1000;
    float *x, *y, *out;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    cudaMemset(y, 0, n * sizeof(float));
    axpy<<<(n + 255) / 256, 256>>>(2, x, y, out);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(x);
    cudaFree(y);
    cudaFree(out);
}
