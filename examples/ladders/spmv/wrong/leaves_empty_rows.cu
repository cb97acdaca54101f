// expect: left_unwritten
// A row without elements writes nothing.
// grid: ceil(n/64)
// block: 64
__global__ void spmv(const int* rows, const int* columns, const float* elements, const float* x, float* y, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int i = rows[row]; i < rows[row + 1]; ++i) {
        sum += elements[i] * x[columns[i]];
        y[row] = sum;
    }
}
