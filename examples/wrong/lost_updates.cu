// Wrong: all threads of all blocks read a count, add to it and write it back, in three statements. Within a warp, a
// block and the grid it is one mistake. Right: atomicAdd(count, 1).
// finding: race at line 10, of 1, wrong under --schedule 2
#include <cstdio>

__global__ void count_odd(const int* in, int* count) {
    if (in[blockIdx.x * blockDim.x + threadIdx.x] % 2 == 0) return;
    int known = *count;
    known += 1;
    *count = known;
}

int main() {
    int *in, *count;
    cudaMallocManaged(&in, 512 * sizeof(int));
    cudaMallocManaged(&count, sizeof(int));
    for (int i = 0; i < 512; ++i) in[i] = i;
    *count = 0;
    count_odd<<<8, 64>>>(in, count);
    cudaDeviceSynchronize();
    std::printf("%d, right is 256\n", *count);
}
