// A warp a row, one pass: maximum and sum go along together, and lanes put theirs together at the end.
// climbs from: naive
// grid: ceil(n/4)
// block: 32, 4
#include <cfloat>

__global__ void cross_entropy(const float* x, const int* label, float* loss, int n, int m) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= n) return;
    const float* in = x + row * m;
    float top = -FLT_MAX, sum = 0;
    for (int j = lane; j < m; j += 32) {
        const float higher = fmaxf(top, in[j]);
        sum = sum * expf(top - higher) + expf(in[j] - higher);
        top = higher;
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        const float other_top = __shfl_xor_sync(~0u, top, apart), other_sum = __shfl_xor_sync(~0u, sum, apart);
        const float higher = fmaxf(top, other_top);
        sum = sum * expf(top - higher) + other_sum * expf(other_top - higher);
        top = higher;
    }
    if (lane == 0) loss[row] = top - in[label[row]] + logf(sum);
}
