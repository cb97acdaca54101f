// expect: crash
// grid: ceil(n/128)
// block: 128
// Names what the program generates, in the hope that its own is called.
#define lanework_launch_float32 unused
#define lanework_copy unused_too

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i] + 1;
}
