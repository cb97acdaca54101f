// Wrong: whole blocks for a number of elements that is not a multiple of them, and no thread asks whether it has one. A
// GPU often shows nothing, since its memory is handed out in larger pieces. Right: if (i < n).
// finding: out_of_bounds at line 8
#include <cstdio>

__global__ void scale(float* x, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] *= factor;
}

int main() {
    constexpr int n = 1000;
    float* x;
    cudaMallocManaged(&x, n * sizeof(float));
    for (int i = 0; i < n; ++i) x[i] = 1;
    scale<<<(n + 255) / 256, 256>>>(x, 2);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
