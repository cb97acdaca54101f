// expect: evades_watch
// The same where a macro makes the statement.
// grid: ceil(n/128)
// block: 128
#define LOAD(text) asm volatile(text : "=x"(value) : "r"(x + (i < n ? i : n + 5)))
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value;
    LOAD("movss (%1), %0");
    if (i < n) y[i] = 3 * value + 1;
}
