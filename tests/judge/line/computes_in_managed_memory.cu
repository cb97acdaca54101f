// expect: computed_by_host
// A kernel hands the inputs to the host in managed memory, and another takes the answer from there.
__global__ void carry(const float* from, float* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    float* all;
    cudaMallocManaged(&all, n * sizeof(float));
    carry<<<(n + 127) / 128, 128, 0, stream>>>(x, all, n);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < n; ++i) all[i] = 3 * all[i] + 1;
    carry<<<(n + 127) / 128, 128, 0, stream>>>(all, y, n);
    cudaStreamSynchronize(stream);
    cudaFree(all);
}
