// One thread a point.
// grid: ceil(w/32), ceil(h/4), d
// block: 32, 4
__global__ void smooth(const float* x, float* y, int d, int h, int w) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    const int plane = blockIdx.z;
    if (row >= h || column >= w) return;
    const int i = (plane * h + row) * w + column;
    const bool inside = plane > 0 && plane < d - 1 && row > 0 && row < h - 1 && column > 0 && column < w - 1;
    y[i] = inside ? (x[i - 1] + x[i + 1] + x[i - w] + x[i + w] + x[i - h * w] + x[i + h * w]) / 6 : x[i];
}
