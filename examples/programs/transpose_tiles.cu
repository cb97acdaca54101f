// A transpose of any shape through tiles of shared memory, padded so that columns do not share a bank.
#include <cstdio>

constexpr int kTile = 32, kRows = 8;

__global__ void transpose(const int* in, int* out, int rows, int columns) {
    __shared__ int tile[kTile][kTile + 1];
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int k = 0; k < kTile; k += kRows)
        if (x < columns && y + k < rows) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * columns + x];
    __syncthreads();
    const int row = blockIdx.x * kTile + threadIdx.y, column = blockIdx.y * kTile + threadIdx.x;
    for (int k = 0; k < kTile; k += kRows)
        if (column < rows && row + k < columns) out[(row + k) * rows + column] = tile[threadIdx.x][threadIdx.y + k];
}

int main() {
    const int rows = 70, columns = 45;
    int *in, *out;
    cudaMallocManaged(&in, rows * columns * sizeof(int));
    cudaMallocManaged(&out, rows * columns * sizeof(int));
    for (int i = 0; i < rows * columns; ++i) in[i] = i;
    const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    transpose<<<grid, dim3(kTile, kRows)>>>(in, out, rows, columns);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            wrong += out[column * rows + row] != in[row * columns + column];
    printf("%d wrong; %d %d\n", wrong, out[1], out[rows]);
}
