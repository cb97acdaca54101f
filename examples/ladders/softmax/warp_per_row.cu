// A warp a row: its lanes read neighbouring elements, and shuffles bring maximum and sum together.
// climbs from: naive
// grid: ceil(n/4)
// block: 32, 4
__global__ void softmax_by_warps(const float* __restrict__ x, float* __restrict__ y, int n, int m) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= n) return;
    const float* in = x + row * m;
    float top = -INFINITY;
    bool nan = false;
    for (int j = lane; j < m; j += 32) {
        top = fmaxf(top, in[j]);
        nan = nan || isnan(in[j]);
    }
    for (int apart = 16; apart > 0; apart /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, apart));
    if (__any_sync(~0u, nan)) top = NAN;
    float sum = 0;
    for (int j = lane; j < m; j += 32) sum += expf(in[j] - top);
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
    for (int j = lane; j < m; j += 32) y[row * m + j] = expf(in[j] - top) / sum;
}
