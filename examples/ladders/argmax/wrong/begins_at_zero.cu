// expect: wrong_result
// Rows whose elements are all negative have none above 0.
// grid: ceil(n/64)
// block: 64
__global__ void argmax(const float* x, long long* index, int n, int m) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float best = 0;
    int at = 0;
    for (int j = 0; j < m; ++j)
        if (x[row * m + j] > best) best = x[row * m + (at = j)];
    index[row] = at;
}
