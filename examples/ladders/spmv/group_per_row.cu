// Eight lanes a row: elements and columns are read next to each other.
// climbs from: naive
// grid: ceil(n/16)
// block: 8, 16
__global__ void spmv(const int* rows, const int* columns, const float* elements, const float* x, float* y, int n) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row < n)
        for (int i = rows[row] + threadIdx.x; i < rows[row + 1]; i += 8) sum += elements[i] * x[columns[i]];
    for (int apart = 4; apart > 0; apart /= 2) sum += __shfl_down_sync(~0u, sum, apart, 8);
    if (row < n && threadIdx.x == 0) y[row] = sum;
}
