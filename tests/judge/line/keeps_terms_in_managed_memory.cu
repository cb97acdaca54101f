// expect: none
// What kernels keep in managed memory they wrote themselves.
__global__ void first(const float* x, float* s, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) s[i] = 3 * x[i];
}
__global__ void second(const float* s, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = s[i] + 1;
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    float* s;
    cudaMallocManaged(&s, n * sizeof(float));
    first<<<(n + 127) / 128, 128, 0, stream>>>(x, s, n);
    second<<<(n + 127) / 128, 128, 0, stream>>>(s, y, n);
    cudaStreamSynchronize(stream);
    cudaFree(s);
}
