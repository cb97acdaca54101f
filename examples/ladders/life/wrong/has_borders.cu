// expect: wrong_result
// Beyond the border there is nothing: it is no torus.
// grid: ceil(w/32), ceil(h/4)
// block: 32, 4
__global__ void generation(const unsigned char* x, unsigned char* y, int h, int w) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= h || column >= w) return;
    int around = -x[row * w + column];
    for (int a = max(row - 1, 0); a <= min(row + 1, h - 1); ++a)
        for (int b = max(column - 1, 0); b <= min(column + 1, w - 1); ++b) around += x[a * w + b];
    y[row * w + column] = around == 3 || (around == 2 && x[row * w + column]);
}
