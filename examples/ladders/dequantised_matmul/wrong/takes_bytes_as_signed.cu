// expect: wrong_result
// The byte is read as a signed number, and 128 is not taken away.
// grid: ceil(k/32), ceil(n/4)
// block: 32, 4
__global__ void matmul(const float* x, const unsigned char* weights, const float* scale, float* y, int n, int m,
                       int k) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= k) return;
    float sum = 0;
    for (int j = 0; j < m; ++j) sum += x[row * m + j] * static_cast<signed char>(weights[j * k + column]);
    y[row * k + column] = sum * scale[column];
}
