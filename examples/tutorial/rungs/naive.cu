// One thread a row: neighbouring threads read elements that lie a whole row apart.
// grid: ceil(n/128)
// block: 128
__global__ void row_sums(const float* x, float* y, int n, int m) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int column = 0; column < m; ++column) sum += x[row * m + column];
    y[row] = sum;
}
