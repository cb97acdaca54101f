// expect: race
// Threads read the parts of other warps before those have written them.
// grid: n
// block: 128
__global__ void rms_norm(const float* x, const float* weight, float* y, int n, int m) {
    __shared__ float parts[4];
    const float* in = x + blockIdx.x * m;
    float squares = 0;
    for (int j = threadIdx.x; j < m; j += blockDim.x) squares += in[j] * in[j];
    for (int apart = 16; apart > 0; apart /= 2) squares += __shfl_xor_sync(~0u, squares, apart);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = squares;
    const float scale = rsqrtf((parts[0] + parts[1] + parts[2] + parts[3]) / m + 1e-6f);
    for (int j = threadIdx.x; j < m; j += blockDim.x) y[blockIdx.x * m + j] = in[j] * scale * weight[j];
}
