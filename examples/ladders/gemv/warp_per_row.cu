// A warp a row: reads coalesce, shuffles add up.
// climbs from: naive
// grid: ceil(n/4)
// block: 32, 4
__global__ void gemv(const float* A, const float* x, float* y, int n, int m) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= n) return;
    float sum = 0;
    for (int j = threadIdx.x; j < m; j += 32) sum += A[row * m + j] * x[j];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(~0u, sum, apart);
    if (threadIdx.x == 0) y[row] = sum;
}
