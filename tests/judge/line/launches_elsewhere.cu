// expect: other_stream
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}

void launch(const float* x, float* y, int n, cudaStream_t) {
    static cudaStream_t own = nullptr;
    if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    line<<<(n + 127) / 128, 128, 0, own>>>(x, y, n);
}
