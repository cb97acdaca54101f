// expect: wrong_result
// Without the maximum taken away exp overflows.
// grid: ceil(n/64)
// block: 64
__global__ void cross_entropy(const float* x, const int* label, float* loss, int n, int m) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int j = 0; j < m; ++j) sum += expf(x[row * m + j]);
    loss[row] = logf(sum) - x[row * m + label[row]];
}
