// expect: kept_memory
__global__ void line(const float* x, float* y, float* twice, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    twice[i] = 2 * x[i];
    y[i] = twice[i] + x[i] + 1;
}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    float* twice;
    cudaMalloc(&twice, n * sizeof(float));
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, twice, n);
}
