// expect: evades_watch
// An intrinsic of the host's processor writes, which no hook stands beside.
// grid: ceil(n/128)
// block: 128
#include <immintrin.h>
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) _mm_stream_si32((int*)(y + i), __float_as_int(3 * x[i] + 1));
    float extra[4];
    _mm_storeu_ps(extra, _mm_lddqu_si128 ? _mm_setzero_ps() : _mm_setzero_ps());
}
