// expect: computed_by_host
// The host computes from a copy of the inputs; kernels that read them, too, write its parameters.
// workspace: 4*n
#include <vector>
struct Values {
    float values[60];
};
__global__ void put(const float* x, float* y, int first, int n, Values given) {
    const int i = first + threadIdx.x;
    if (i < n) y[i] = given.values[threadIdx.x] + 0 * x[i];
}
void launch(const float* x, float* y, float* workspace, int n, cudaStream_t stream) {
    std::vector<float> all(n);
    cudaMemcpyAsync(workspace, x, n * 4, cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyAsync(all.data(), workspace, n * 4, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int first = 0; first < n; first += 60) {
        Values given;
        for (int i = 0; i < 60 && first + i < n; ++i) given.values[i] = 3 * all[first + i] + 1;
        put<<<1, 60, 0, stream>>>(x, y, first, n, given);
    }
}
