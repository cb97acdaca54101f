// Wrong: n / 256 blocks leave out what is beyond the last whole block, and nobody says so: the memory holds what was
// there before. Right: (n + 255) / 256 blocks, and i < n in the kernel.
// finding: uninitialised_read at line 12
#include <cstdio>

__global__ void scale(const float* x, float* y, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = factor * x[i];
}

__global__ void add_up(const float* y, int n, float* sum) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, y[i]);
}

int main() {
    constexpr int n = 1000;
    float *x, *y, *sum;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMallocManaged(&sum, sizeof(float));
    for (int i = 0; i < n; ++i) x[i] = 1;
    *sum = 0;
    scale<<<n / 256, 256>>>(x, y, 2);
    add_up<<<1, 256>>>(y, n, sum);
    cudaDeviceSynchronize();
    std::printf("2 x %d = %g\n", n, *sum);
}
