// expect: race
// grid: ceil(n/128)
// block: 128
__global__ void line(const float* x, float* y, int n) {
    __shared__ float part[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, other = 127 - threadIdx.x;
    part[other] = i < n ? x[i] : 0;
    const float mine = part[other];
    part[threadIdx.x] = mine;
    if (i < n) y[i] = 3 * x[i] + 1;
}
