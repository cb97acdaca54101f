// printf and assert in a kernel.
#include <cassert>
#include <cstdio>

__global__ void say(const int* values, int n) {
    assert(n > 0 && threadIdx.x < 32);
    if (threadIdx.x == 0 && blockIdx.x == 0)
        for (int i = 0; i < n; ++i)
            printf("block %d: values[%d] = %5d, %.3f\n", blockIdx.x, i, values[i], values[i] / 3.0);
}

int main() {
    int* values;
    cudaMallocManaged(&values, 3 * sizeof(int));
    for (int i = 0; i < 3; ++i) values[i] = i * i - 1;
    say<<<2, 32>>>(values, 3);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
