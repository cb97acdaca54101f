// expect: low_precision
// grid: ceil(n/128)
// block: 128
#include <cuda_fp16.h>

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __half2float(__hfma(__float2half(3.f), __float2half(x[i]), __float2half(1.f)));
}
