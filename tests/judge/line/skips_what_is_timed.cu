// expect: skipped_work
// grid: ceil(n/128)
// block: 128
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (n < 4096 || i < 1024)) y[i] = 3 * x[i] + 1;
}
