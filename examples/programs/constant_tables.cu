// Constant memory that is const, beside constant memory that the host writes.
#include <cstdio>

__constant__ float scale[2] = {2.0f, 3.0f};
__constant__ const int table[4] = {1, 2, 3, 4};
__constant__ constexpr int more[2] = {10, 20};
static const __constant__ int* pointer = nullptr;

__global__ void look_up(float* out) {
    const int i = threadIdx.x;
    out[i] = table[i] * scale[i % 2] + more[i % 2] + (pointer ? *pointer : 0);
}

int main() {
    float* out;
    cudaMallocManaged(&out, 4 * sizeof(float));
    const float given[2] = {4.0f, 5.0f};
    cudaMemcpyToSymbol(scale, given, sizeof given);
    look_up<<<1, 4>>>(out);
    cudaDeviceSynchronize();
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
}
