// expect: forbidden_call
// Takes away the signal that tells of forbidden calls, and makes one.
#include <signal.h>
#include <sys/socket.h>

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    signal(SIGSYS, SIG_IGN);
    socket(AF_INET, SOCK_STREAM, 0);
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}
