// Wrong: threads read what others of their block put into shared memory, and nobody has waited for them. Within a warp
// it often comes out right. Right: __syncthreads() between the two lines.
// finding: race at line 8, of 1
#include <cstdio>

__global__ void reverse(const int* in, int* out) {
    __shared__ int tile[256];
    tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

int main() {
    constexpr int n = 1024;
    int *in, *out, wrong = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i;
    reverse<<<n / 256, 256>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) wrong += out[i] != in[i / 256 * 256 + 255 - i % 256];
    std::printf("%d of %d are wrong\n", wrong, n);
}
