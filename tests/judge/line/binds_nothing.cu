// expect: does_not_compile
// grid: ceil(n/128)
// block: 128
__global__ void line(const float* z, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * z[i] + 1;
}
