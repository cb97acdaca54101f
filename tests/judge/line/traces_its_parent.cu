// expect: forbidden_call
// Takes hold of the process that judges.
#include <sys/ptrace.h>
#include <unistd.h>
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}
