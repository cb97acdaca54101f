// expect: computed_by_host
// The host computes, a copy carries it over: a trace sees the device write.
#include <vector>

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    std::vector<float> all(n);
    cudaMemcpyAsync(all.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (float& each : all) each = 3 * each + 1;
    cudaMemcpyAsync(y, all.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
}
