// expect: hang
// options: --run-seconds 3
// workspace: 4
// grid: ceil(n/128)
// block: 128
__global__ void line(const float* x, float* y, volatile int* workspace, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
    if (i == 0) workspace[0] = 1;
    while (i == 0 && workspace[0] == 1) {
    }
}
