// expect: evades_watch
// grid: ceil(n/128)
// block: 128
// The word is made of parts, so that no reader of the source finds it.
#define PASTE(a, b) a##b
#define UNWATCHED __attribute__((PASTE(no_sani, tize)("thread")))

UNWATCHED __global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) y[i] = i < n ? 3 * x[i] + 1 : 0;
}
