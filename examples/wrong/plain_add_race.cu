// Wrong: blocks add to one number with +=. Reading, adding and writing are three steps, and another block comes in
// between. Right: atomicAdd(sum, sums[0]).
// finding: race at line 15, wrong under --schedule 1
#include <cstdio>

__global__ void sum_of(const int* x, int n, int* sum) {
    __shared__ int sums[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *sum += sums[0];
}

int main() {
    constexpr int n = 100000;
    int *x, *sum;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&sum, sizeof(int));
    for (int i = 0; i < n; ++i) x[i] = 1;
    *sum = 0;
    sum_of<<<(n + 255) / 256, 256>>>(x, n, sum);
    cudaDeviceSynchronize();
    std::printf("%d ones are %d\n", n, *sum);
}
