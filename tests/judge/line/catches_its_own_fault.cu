// expect: forbidden_call
// Writes to where nothing is, and jumps back out of the signal's handler.
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf back;
static void caught(int) { siglongjmp(back, 1); }
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    signal(SIGSEGV, caught);
    if (sigsetjmp(back, 1) == 0) *(volatile int*)8 = 1;
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}
