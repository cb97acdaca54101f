// Functions of the device by their address: in a table of the device, and as a template's argument.
#include <cstdio>

using Binary = int (*)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int larger(int a, int b) { return a > b ? a : b; }

__device__ Binary table[] = {add, multiply, larger};

__global__ void apply(int* out) { out[threadIdx.x] = table[threadIdx.x](6, 7); }

template <Binary Function>
__global__ void apply_fixed(int* out) {
    *out = Function(20, 3);
}

__global__ void apply_given(Binary function, int* out) { *out = function(5, 5); }

int main() {
    int* out;
    cudaMallocManaged(&out, 3 * sizeof(int));
    apply<<<1, 3>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[1], out[2]);
    apply_fixed<multiply><<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[0]);
    Binary first;
    cudaMemcpyFromSymbol(&first, table, sizeof first);
    apply_given<<<1, 1>>>(first, out);
    cudaDeviceSynchronize();
    printf("%d\n", out[0]);
}
