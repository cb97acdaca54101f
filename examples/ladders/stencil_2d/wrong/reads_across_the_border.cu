// expect: out_of_bounds
// The first row has no row above it.
// grid: ceil(w/32), ceil(h/8)
// block: 32, 8
__global__ void step(const float* x, float* y, int h, int w, float rate) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= h || column >= w) return;
    const int i = row * w + column;
    const float around = x[i - 1] + x[i + 1] + x[i - w] + x[i + w] - 4 * x[i];
    const bool inside = row > 0 && row < h - 1 && column > 0 && column < w - 1;
    y[i] = inside ? x[i] + rate * around : x[i];
}
