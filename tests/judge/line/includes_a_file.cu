// expect: does_not_compile
// A compiler's message would show what is in it.
#include "/etc/passwd"

__global__ void line(const float* x, float* y, int n) { y[0] = x[0]; }

void launch(const float* x, float* y, int n, cudaStream_t stream) { line<<<1, 1, 0, stream>>>(x, y, n); }
