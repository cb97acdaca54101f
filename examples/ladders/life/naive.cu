// One thread a cell: a remainder for each neighbour.
// grid: ceil(w/32), ceil(h/4)
// block: 32, 4
__global__ void generation(const unsigned char* x, unsigned char* y, int h, int w) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= h || column >= w) return;
    int around = -x[row * w + column];
    for (int a = h - 1; a <= h + 1; ++a)
        for (int b = w - 1; b <= w + 1; ++b) around += x[(row + a) % h * w + (column + b) % w];
    y[row * w + column] = around == 3 || (around == 2 && x[row * w + column]);
}
