// expect: forbidden_call
// A call of the system that no list of names knows: the cell forbids it.
#include <sys/stat.h>

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    mkdir("kept_between_runs", 0700);
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}
