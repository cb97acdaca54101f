// expect: foreign_memory
// The kernel reads an array of the host's.
__global__ void line(const float* x, float* y, const float* factor, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor[0] * x[i] + 1;
}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    static float* const factor = new float[1]{3};
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, factor, n);
}
