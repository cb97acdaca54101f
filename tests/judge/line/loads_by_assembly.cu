// expect: evades_watch
// Reads past the end by an instruction of the host's, which no hook stands beside.
// grid: ceil(n/128)
// block: 128
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value;
    asm volatile("movss (%1), %0" : "=x"(value) : "r"(x + (i < n ? i : n + 5)));
    if (i < n) y[i] = 3 * value + 1;
}
