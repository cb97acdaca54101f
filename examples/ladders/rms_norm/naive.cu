// One thread a row.
// grid: ceil(n/64)
// block: 64
__global__ void rms_norm(const float* x, const float* weight, float* y, int n, int m) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float squares = 0;
    for (int j = 0; j < m; ++j) squares += x[row * m + j] * x[row * m + j];
    const float scale = rsqrtf(squares / m + 1e-6f);
    for (int j = 0; j < m; ++j) y[row * m + j] = x[row * m + j] * scale * weight[j];
}
