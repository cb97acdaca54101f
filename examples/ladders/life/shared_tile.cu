// A block stages its cells and those around them: each is read about once, and remainders are computed once.
// climbs from: naive
// grid: ceil(w/32), ceil(h/8)
// block: 32, 8
__global__ void generation(const unsigned char* x, unsigned char* y, int h, int w) {
    __shared__ unsigned char tile[10][34];
    const int left = blockIdx.x * 32, top = blockIdx.y * 8;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256)
        tile[i / 34][i % 34] = x[(top + i / 34 + h - 1) % h * w + (left + i % 34 + w - 1) % w];
    __syncthreads();
    const int column = threadIdx.x + 1, row = threadIdx.y + 1;
    if (top + threadIdx.y >= h || left + threadIdx.x >= w) return;
    int around = -tile[row][column];
    for (int a = -1; a <= 1; ++a)
        for (int b = -1; b <= 1; ++b) around += tile[row + a][column + b];
    y[(top + threadIdx.y) * w + left + threadIdx.x] = around == 3 || (around == 2 && tile[row][column]);
}
