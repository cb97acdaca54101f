// Barriers behind a check of bounds, which all threads of a block pass or none: a transpose by tiles, and prefix sums
// of blocks, in grids that are larger than what there is to do.
#include <cstdio>

const int kTile = 16, kBlock = 128;

__global__ void transpose(const int* in, int* out, int rows, int columns) {
    __shared__ int tile[kTile][kTile + 1];
    int x{static_cast<int>(blockIdx.x * kTile + threadIdx.x)}, y{static_cast<int>(blockIdx.y * kTile + threadIdx.y)};
    if (x < columns && y < rows) {
        tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
        __syncthreads();
        x = blockIdx.y * kTile + threadIdx.x;
        y = blockIdx.x * kTile + threadIdx.y;
        out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
    }
}

__global__ void prefix_sums(const int* in, int* out, int n) {
    __shared__ int sums[kBlock];
    const int t = threadIdx.x;
    for (int i = blockIdx.x * kBlock + t; i < n; i += gridDim.x * kBlock) {
        sums[t] = in[i];
        __syncthreads();
        for (int distance = 1; distance < blockDim.x; distance *= 2) {
            int before = 0;
            if (t >= distance) before = sums[t - distance];
            __syncthreads();
            sums[t] += before;
            __syncthreads();
        }
        out[i] = sums[t];
        __syncthreads();
    }
}

int main() {
    const int rows = 3 * kTile, columns = 5 * kTile, n = rows * columns;
    int *in, *turned, *sums;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&turned, n * sizeof(int));
    cudaMallocManaged(&sums, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i % 97;
    transpose<<<dim3(8, 8), dim3(kTile, kTile)>>>(in, turned, rows, columns);
    prefix_sums<<<4, kBlock>>>(in, sums, n);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) wrong += turned[x * rows + y] != in[y * columns + x];
    printf("transposed: %d wrong\n", wrong);
    wrong = 0;
    for (int i = 0, sum = 0; i < n; ++i) {
        sum = i % kBlock == 0 ? in[i] : sum + in[i];
        wrong += sums[i] != sum;
    }
    printf("prefix sums: %d wrong, the last is %d\n", wrong, sums[n - 1]);
}
