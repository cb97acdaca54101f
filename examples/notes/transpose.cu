// B[n×m] = A[m×n]: reads that coalesce, writes that coalesce, and both through a tile, whose padding of one column
// sends the elements of a column to 32 different banks.
#include "check.hpp"

constexpr int kTile = 32, kRows = 8;

__global__ void coalesced_read(const int* in, int* out, int rows, int columns) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
              y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
}

__global__ void coalesced_write(const int* in, int* out, int rows, int columns) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
              y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < rows && y < columns) out[y * rows + x] = in[x * columns + y];
}

__global__ void padded_tile(const int* in, int* out, int rows, int columns) {
    __shared__ int tile[kTile][kTile + 1];
    const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
    const int left = static_cast<int>(blockIdx.x) * kTile, top = static_cast<int>(blockIdx.y) * kTile;
    for (int j = ty; j < kTile; j += kRows)
        if (left + tx < columns && top + j < rows) tile[j][tx] = in[(top + j) * columns + left + tx];
    __syncthreads();
    for (int j = ty; j < kTile; j += kRows)
        if (top + tx < rows && left + j < columns) out[(left + j) * rows + top + tx] = tile[tx][j];
}

int main() {
    constexpr int rows = 133, columns = 70;
    int *const in = managed<int>(rows * columns), *const out = managed<int>(rows * columns);
    for (int i = 0; i < rows * columns; ++i) in[i] = i;
    const auto wrong = [&] {
        check_launch();
        int count = 0;
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c) count += out[c * rows + r] != in[r * columns + c], out[c * rows + r] = -1;
        return count;
    };
    const auto blocks = [](int length) { return static_cast<unsigned>((length + kTile - 1) / kTile); };
    coalesced_read<<<dim3(blocks(columns), blocks(rows)), dim3(kTile, kTile)>>>(in, out, rows, columns);
    std::printf("coalesced read: %d wrong\n", wrong());
    coalesced_write<<<dim3(blocks(rows), blocks(columns)), dim3(kTile, kTile)>>>(in, out, rows, columns);
    std::printf("coalesced write: %d wrong\n", wrong());
    padded_tile<<<dim3(blocks(columns), blocks(rows)), dim3(kTile, kRows)>>>(in, out, rows, columns);
    std::printf("padded tile: %d wrong\n", wrong());
    check(cudaFree(in));
    check(cudaFree(out));
}
