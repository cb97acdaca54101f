// expect: low_precision
// Elements are cut to 12 bits before they are added up.
// grid: ceil(n/64)
// block: 64
__global__ void layer_norm(const float* x, const float* weight, const float* bias, float* y, int n, int m) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    const float* in = x + row * m;
    float sum = 0, squares = 0;
    for (int j = 0; j < m; ++j) {
        const float rounded = __uint_as_float(__float_as_uint(in[j]) & 0xfffff000u);
        sum += rounded;
        squares += rounded * rounded;
    }
    const float mean = sum / m, scale = rsqrtf(squares / m - mean * mean + 1e-5f);
    for (int j = 0; j < m; ++j) y[row * m + j] = (in[j] - mean) * scale * weight[j] + bias[j];
}
