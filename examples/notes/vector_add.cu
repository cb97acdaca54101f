// z = x + y: one element a thread, a grid-stride loop, and 16 bytes at once. The last block is not full.
#include "check.hpp"

__global__ void one_each(const float* x, const float* y, float* z, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) z[i] = x[i] + y[i];
}

__global__ void grid_stride(const float* x, const float* y, float* z, int n) {
    const int step = static_cast<int>(gridDim.x * blockDim.x);
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) z[i] = x[i] + y[i];
}

__global__ void four_each(const float4* x, const float4* y, float4* z, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const float4 a = x[i], b = y[i];
    z[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

int main() {
    constexpr int n = 100004, kThreads = 256;  // a multiple of four, not of 256
    float *const x = managed<float>(n), *const y = managed<float>(n), *const z = managed<float>(n);
    for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i), y[i] = static_cast<float>(2 * i);
    const auto wrong = [&] {
        check_launch();
        int count = 0;
        for (int i = 0; i < n; ++i) count += z[i] != x[i] + y[i], z[i] = -1;
        return count;
    };
    one_each<<<(n + kThreads - 1) / kThreads, kThreads>>>(x, y, z, n);
    std::printf("one each: %d wrong\n", wrong());
    grid_stride<<<32, kThreads>>>(x, y, z, n);
    std::printf("grid stride: %d wrong\n", wrong());
    four_each<<<(n / 4 + kThreads - 1) / kThreads, kThreads>>>(
        reinterpret_cast<const float4*>(x), reinterpret_cast<const float4*>(y), reinterpret_cast<float4*>(z), n / 4);
    std::printf("four each: %d wrong\n", wrong());
    check(cudaFree(x));
    check(cudaFree(y));
    check(cudaFree(z));
}
