// expect: none
// The inputs are read by a texture alone.
__global__ void line(cudaTextureObject_t x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * tex1Dfetch<float>(x, i) + 1;
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    cudaResourceDesc what{};
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = const_cast<float*>(x);
    what.res.linear.desc = cudaCreateChannelDesc<float>();
    what.res.linear.sizeInBytes = n * sizeof(float);
    cudaTextureDesc how{};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &what, &how, nullptr);
    line<<<(n + 127) / 128, 128, 0, stream>>>(texture, y, n);
    cudaDestroyTextureObject(texture);
}
