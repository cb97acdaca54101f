// expect: computed_by_host
// The host computes in memory that kernels can read; one carries it over.
__global__ void carry(const float* from, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = from[i];
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    float* all;
    cudaMallocHost(&all, n * sizeof(float));
    cudaMemcpyAsync(all, x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < n; ++i) all[i] = 3 * all[i] + 1;
    carry<<<(n + 127) / 128, 128, 0, stream>>>(all, y, n);
    cudaStreamSynchronize(stream);
    cudaFreeHost(all);
}
