// One thread a row: neighbouring threads read elements that lie a whole row apart.
// grid: ceil(n/64)
// block: 64
__global__ void softmax(const float* x, float* y, int n, int m) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    const float* in = x + row * m;
    float top = in[0];
    for (int j = 1; j < m; ++j) top = in[j] > top || isnan(in[j]) ? in[j] : top;
    float sum = 0;
    for (int j = 0; j < m; ++j) sum += expf(in[j] - top);
    for (int j = 0; j < m; ++j) y[row * m + j] = expf(in[j] - top) / sum;
}
