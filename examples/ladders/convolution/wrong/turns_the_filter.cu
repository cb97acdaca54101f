// expect: wrong_result
// The filter is applied mirrored.
// grid: ceil(w/32), ceil(h/4)
// block: 32, 4
__global__ void convolve(const float* x, const float* filter, float* y, int h, int w, int r) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= h || column >= w) return;
    float sum = 0;
    for (int a = 0; a < r; ++a)
        for (int b = 0; b < r; ++b)
            sum += x[(row + a) * (w + r - 1) + column + b] * filter[(r - 1 - a) * r + r - 1 - b];
    y[row * w + column] = sum;
}
