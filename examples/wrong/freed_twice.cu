// Wrong: two names for one allocation, and each is freed. Right: one of them owns the memory and frees it.
// finding: invalid_free at line 18
#include <cstdio>

__global__ void twice(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

int main() {
    constexpr int n = 1000;
    float* data;
    cudaMalloc(&data, n * sizeof(float));
    cudaMemset(data, 0, n * sizeof(float));
    float* const result = data;
    twice<<<(n + 255) / 256, 256>>>(result, n);
    cudaFree(data);
    cudaFree(result);
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
