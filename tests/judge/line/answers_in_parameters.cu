// expect: computed_by_host
// Kernels write what the host gave them as parameters, and read nothing.
struct Values {
    float values[60];
};
__global__ void put(float* y, int first, int n, Values given) {
    const int i = first + threadIdx.x;
    if (i < n) y[i] = given.values[threadIdx.x];
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    for (int first = 0; first < n; first += 60) {
        Values given;
        for (int i = 0; i < 60 && first + i < n; ++i) given.values[i] = 3 * x[first + i] + 1;
        put<<<1, 60, 0, stream>>>(y, first, n, given);
    }
}
