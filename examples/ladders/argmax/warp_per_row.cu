// A warp a row: each lane has a best of its own, and shuffles find the warp's.
// climbs from: naive
// grid: ceil(n/4)
// block: 32, 4
__global__ void argmax(const float* x, long long* index, int n, int m) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= n) return;
    float best = -INFINITY;
    int at = 0;
    for (int j = threadIdx.x; j < m; j += 32)
        if (x[row * m + j] > best || j < 32) {
            best = x[row * m + j];
            at = j;
        }
    for (int apart = 16; apart > 0; apart /= 2) {
        const float other = __shfl_xor_sync(~0u, best, apart);
        const int other_at = __shfl_xor_sync(~0u, at, apart);
        if (other > best || (other == best && other_at < at)) {
            best = other;
            at = other_at;
        }
    }
    if (threadIdx.x == 0) index[row] = at;
}
