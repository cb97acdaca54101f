// expect: exit
// grid: ceil(n/128)
// block: 128
#include <unistd.h>

__attribute__((constructor)) static void first() { _exit(0); }

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}
