// expect: none
// More shared memory than a kernel has unasked: who launches it has to allow it.
// grid: ceil(n/128)
// block: 128
// shared: 60000
__global__ void line(const float* x, float* y, int n) {
    extern __shared__ float tile[];
    float* const last = tile + 60000 / sizeof(float) - 128;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    last[threadIdx.x] = 3 * x[i];
    y[i] = last[threadIdx.x] + 1;
}
