// expect: forbidden_call
// A process that is there when the rung has returned.
#include <unistd.h>
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    if (fork() == 0)
        for (;;) pause();
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}
