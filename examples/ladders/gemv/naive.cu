// One thread a row: neighbouring threads read a whole row apart.
// grid: ceil(n/64)
// block: 64
__global__ void gemv(const float* A, const float* x, float* y, int n, int m) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int j = 0; j < m; ++j) sum += A[row * m + j] * x[j];
    y[row] = sum;
}
