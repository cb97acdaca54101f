// expect: changed_input
// grid: ceil(n/128)
// block: 128
__global__ void line(float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = 3 * x[i];
    y[i] = x[i] + 1;
}
