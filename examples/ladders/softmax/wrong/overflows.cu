// expect: wrong_result
// The maximum is not taken away: exp of a large number is infinite, and its share no number.
// grid: ceil(n/64)
// block: 64
__global__ void softmax(const float* x, float* y, int n, int m) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int j = 0; j < m; ++j) sum += expf(x[row * m + j]);
    for (int j = 0; j < m; ++j) y[row * m + j] = expf(x[row * m + j]) / sum;
}
