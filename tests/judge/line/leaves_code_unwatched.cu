// expect: evades_watch
// grid: ceil(n/128)
// block: 128
// Without hooks nobody sees the write behind the end.
__attribute__((no_sanitize("thread"))) __global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) y[i] = i < n ? 3 * x[i] + 1 : 0;
}
