// One block a row: neighbouring threads read neighbouring elements, and add up in shared memory.
// climbs from: naive
// grid: n
// block: 128
__global__ void row_sums(const float* x, float* y, int n, int m) {
    __shared__ float part[128];
    float sum = 0;
    for (int column = threadIdx.x; column < m; column += 128) sum += x[blockIdx.x * m + column];
    part[threadIdx.x] = sum;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
