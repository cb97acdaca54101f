// One thread a row.
// grid: ceil(n/64)
// block: 64
__global__ void argmax(const float* x, long long* index, int n, int m) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    int best = 0;
    for (int j = 1; j < m; ++j)
        if (x[row * m + j] > x[row * m + best]) best = j;
    index[row] = best;
}
