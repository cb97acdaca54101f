// Wrong: what one stream writes another one reads, with nothing in between. Right: an event that it waits for.
// finding: stream_race at line 27
#include <cstdio>

__global__ void fill(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = static_cast<float>(i);
}

__global__ void twice(const float* data, float* result, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = 2 * data[i];
}

int main() {
    constexpr int n = 1000, blocks = (n + 255) / 256;
    float *data, *result, last = 0;
    cudaMalloc(&data, n * sizeof(float));
    cudaMalloc(&result, n * sizeof(float));
    cudaStream_t filling, using_it;
    cudaStreamCreate(&filling);
    cudaStreamCreate(&using_it);
    fill<<<blocks, 256, 0, filling>>>(data, n);
    // cudaEvent_t filled;
    // cudaEventCreate(&filled); cudaEventRecord(filled, filling);
    // cudaStreamWaitEvent(using_it, filled);
    twice<<<blocks, 256, 0, using_it>>>(data, result, n);
    cudaMemcpy(&last, result + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("%g\n", last);
    cudaStreamDestroy(filling);
    cudaStreamDestroy(using_it);
    cudaFree(data);
    cudaFree(result);
}
