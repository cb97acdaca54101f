// Wrong: the last steps of a sum rely on the 32 threads of a warp taking every step together. Since Volta they need
// not. Right: __syncwarp() after each step, or a shuffle.
// finding: warp_synchrony at line 12, wrong under --schedule 1
#include <cstdio>

__global__ void sum_of(const int* x, int* sum) {
    __shared__ int sums[64];
    sums[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        volatile int* const own = sums;
        own[threadIdx.x] = own[threadIdx.x] + own[threadIdx.x + 32];
        for (int half = 16; half > 0; half /= 2)
            if (threadIdx.x < half) own[threadIdx.x] = own[threadIdx.x] + own[threadIdx.x + half];
        if (threadIdx.x == 0) *sum = own[0];
    }
}

int main() {
    int *x, *sum;
    cudaMallocManaged(&x, 64 * sizeof(int));
    cudaMallocManaged(&sum, sizeof(int));
    for (int i = 0; i < 64; ++i) x[i] = 1;
    sum_of<<<1, 64>>>(x, sum);
    cudaDeviceSynchronize();
    std::printf("64 ones are %d\n", *sum);
}
