// All blocks of a cooperative launch wait for each other: a sum that every block uses in the second half of one kernel.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void normalize(float* x, int n, int* sum) {
    const cg::grid_group grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) atomicAdd(sum, int(x[i]));
    grid.sync();
    const float total = atomicAdd(sum, 0);
    for (int i = grid.thread_rank(); i < n; i += grid.size()) x[i] /= total;
}

int main() {
    int n = 1000, *sum;
    float* x;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&sum, sizeof(int));
    *sum = 0;
    for (int i = 0; i < n; ++i) x[i] = i % 4 == 0;
    void* arguments[] = {&x, &n, &sum};
    const cudaError_t launched = cudaLaunchCooperativeKernel((void*)normalize, dim3(4), dim3(64), arguments);
    cudaDeviceSynchronize();
    printf("%s: sum %d, x[0] %g, x[1] %g\n", cudaGetErrorName(launched), *sum, x[0], x[1]);
    const cudaError_t too_large = cudaLaunchCooperativeKernel((void*)normalize, dim3(1 << 20), dim3(64), arguments);
    printf("%s\n", cudaGetErrorName(too_large));
}
