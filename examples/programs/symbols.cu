// Constant and device variables: copied to and from by name, by address, and used by kernels.
#include <cstdio>

struct Settings {
    int base;
    float scale;
};
__constant__ Settings settings;
__constant__ float weights[4] = {1, 2, 3, 4};
__device__ int counter = 5;
__device__ float table[8];

__global__ void use(float* out) {
    const int i = threadIdx.x;
    atomicAdd(&counter, 1);
    table[i] = weights[i % 4] * settings.scale;
    out[i] = settings.base + table[i];
}

int main() {
    float* out;
    cudaMallocManaged(&out, 8 * sizeof(float));
    const Settings host{100, 0.5f};
    cudaMemcpyToSymbol(settings, &host, sizeof host);
    const float last = 40;
    cudaMemcpyToSymbol(weights, &last, sizeof last, 3 * sizeof(float));
    use<<<1, 8>>>(out);
    cudaDeviceSynchronize();
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
    int count = 0;
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    float* address;
    size_t bytes;
    cudaGetSymbolAddress((void**)&address, table);
    cudaGetSymbolSize(&bytes, table);
    float seventh = 0;
    cudaMemcpy(&seventh, address + 7, sizeof seventh, cudaMemcpyDeviceToHost);
    printf("%d calls, %zu bytes, %g\n", count, bytes, seventh);
}
