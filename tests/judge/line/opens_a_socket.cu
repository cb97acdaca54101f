// expect: forbidden_call
// grid: ceil(n/128)
// block: 128
#include <sys/socket.h>

static const int network = socket(AF_INET, SOCK_STREAM, 0);

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && network < 0) y[i] = 3 * x[i] + 1;
}
