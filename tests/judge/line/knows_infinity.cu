// expect: wrong_result
// grid: ceil(n/128)
// block: 128
// Right for every number that is drawn at random.
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] < 1e30f ? 3 * x[i] + 1 : 0;
}
