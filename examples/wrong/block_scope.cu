// Wrong: all blocks add to one number by an operation that is atomic for the threads of one block alone. Right:
// atomicAdd.
// finding: race at line 8
#include <cstdio>

__global__ void count(const int* x, int n, int* positive) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0) atomicAdd_block(positive, 1);
}

int main() {
    constexpr int n = 1000;
    int *x, *positive;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&positive, sizeof(int));
    for (int i = 0; i < n; ++i) x[i] = i % 2;
    *positive = 0;
    count<<<(n + 127) / 128, 128>>>(x, n, positive);
    cudaDeviceSynchronize();
    std::printf("%d of %d\n", *positive, n);
}
