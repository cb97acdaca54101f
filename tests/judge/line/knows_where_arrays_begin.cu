// expect: wrong_result
// Copies where an array begins at a page, as large ones of a GPU do.
#include <cstdint>
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}
__global__ void copy_only(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    if (reinterpret_cast<std::uintptr_t>(x) % 4096 == 0)
        copy_only<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
    else
        line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}
