// A thread computes four rows of its column: a weight is read and converted once for all of them, scaled at the end.
// climbs from: naive
// grid: ceil(k/32), ceil(n/16)
// block: 32, 4
__global__ void matmul(const float* x, const unsigned char* weights, const float* scale, float* y, int n, int m,
                       int k) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
    if (row >= n || column >= k) return;
    float sums[4] = {};
    for (int j = 0; j < m; ++j) {
        const float weight = weights[j * k + column] - 128;
        for (int i = 0; i < 4; ++i) sums[i] += x[min(row + i, n - 1) * m + j] * weight;
    }
    for (int i = 0; i < 4 && row + i < n; ++i) y[(row + i) * k + column] = sums[i] * scale[column];
}
