// A block stages its inputs in shared memory: each is read about once.
// climbs from: naive
// grid: ceil(w/32), ceil(h/8)
// block: 32, 8
// shared: 4*(32+r-1)*(8+r-1)
__global__ void convolve(const float* x, const float* filter, float* y, int h, int w, int r) {
    extern __shared__ float tile[];
    const int width = 32 + r - 1, height = 8 + r - 1, pitch = w + r - 1;
    const int left = blockIdx.x * 32, top = blockIdx.y * 8;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < width * height; i += 256) {
        const int row = top + i / width, column = left + i % width;
        tile[i] = row < h + r - 1 && column < pitch ? x[row * pitch + column] : 0;
    }
    __syncthreads();
    const int column = left + threadIdx.x, row = top + threadIdx.y;
    if (row >= h || column >= w) return;
    float sum = 0;
    for (int a = 0; a < r; ++a)
        for (int b = 0; b < r; ++b) sum += tile[(threadIdx.y + a) * width + threadIdx.x + b] * filter[a * r + b];
    y[row * w + column] = sum;
}
