// Measures what printf costs a kernel: by threads, by warps, by lines of one warp. One line a figure: the kernel, its
// blocks and their threads, lines of a thread, lines in all, and the median of 11 runs in microseconds, the launch
// among them. What is printed goes to the standard output, the figures to the standard error.
//   nvcc -O3 -arch=native -o printing scripts/printing.cu && ./printing > /dev/null 2> printing.csv
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace {

__global__ void prints1(int threads) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < threads) printf("%d\n", i);
}
__global__ void prints4(int threads) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < threads) printf("[%d, %d]: value is %d %d\n", i, i + 1, i + 2, i + 3);
}
__global__ void dbl(int threads) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < threads) printf("%f %s\n", i * 0.5, "word");
}
__global__ void loops(int lines) {
    for (int line = 0; line < lines; ++line) printf("%d\n", int(threadIdx.x) + line);
}
__global__ void lanes(int of_each_warp) {
    if (int(threadIdx.x % 32) < of_each_warp) printf("%d\n", int(threadIdx.x));
}

template <class Launch>
void measure(const char* kernel, int blocks, int threads, int of_a_thread, int lines, Launch&& launch) {
    std::array<float, 11> took{};
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (float& milliseconds : took) {
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&milliseconds, begin, end);
        cudaDeviceSynchronize();
    }
    std::sort(took.begin(), took.end());
    std::fprintf(stderr, "%s,%d,%d,%d,%d,%.2f\n", kernel, blocks, threads, of_a_thread, lines,
                 took[took.size() / 2] * 1e3);
}

}  // namespace

int main() {
    cudaDeviceSetLimit(cudaLimitPrintfFifoSize, std::size_t{64} << 20);
    std::fprintf(stderr, "kernel,blocks,threads,per_thread,prints,us\n");
    measure("none", 1, 32, 0, 0, [] { prints1<<<1, 32>>>(0); });
    measure("none", 1024, 256, 0, 0, [] { prints1<<<1024, 256>>>(0); });
    for (const int n : {1, 2, 4, 8, 16, 32, 64, 256, 1024})
        measure("prints1", 1, n, 1, n, [n] { prints1<<<1, n>>>(n); });
    for (const int n : {1, 32, 256}) measure("prints4", 1, n, 1, n, [n] { prints4<<<1, n>>>(n); });
    for (const int n : {1, 32, 256}) measure("dbl", 1, n, 1, n, [n] { dbl<<<1, n>>>(n); });
    for (const int blocks : {4, 32, 132, 1024})
        for (const int n : {1, 8, 32, 128})
            measure("prints1", blocks, n, 1, blocks * n, [=] { prints1<<<blocks, n>>>(blocks * n); });
    measure("prints4", 4, 8, 1, 32, [] { prints4<<<4, 8>>>(32); });
    for (const int lines : {2, 8, 32, 128})
        for (const int n : {1, 32}) measure("loops", 1, n, lines, lines * n, [=] { loops<<<1, n>>>(lines); });
    for (const int n : {1, 2, 4, 8, 16, 32}) measure("lanes", 1, 256, 1, 8 * n, [n] { lanes<<<1, 256>>>(n); });
    const cudaError_t code = cudaDeviceSynchronize();
    if (code != cudaSuccess) std::fprintf(stderr, "printing: %s\n", cudaGetErrorString(code));
    return code == cudaSuccess ? 0 : 4;
}
