// expect: computed_by_host
__global__ void nothing() {}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    nothing<<<1, 1, 0, stream>>>();
    for (int i = 0; i < n; ++i) y[i] = 3 * x[i] + 1;
}
