// CUB for a whole array: a sum, a prefix sum, a histogram, each with the memory that it asks for.
#include <cstdio>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <vector>

// Each function is called twice: without memory it says how much it needs.
template <class Function>
void with_memory(Function function) {
    void* memory = nullptr;
    size_t bytes = 0;
    function(memory, bytes);
    cudaMalloc(&memory, bytes);
    function(memory, bytes);
    cudaFree(memory);
}

int main() {
    const int n = 20011, bins = 16;
    std::vector<int> host(n);
    for (int i = 0; i < n; ++i) host[i] = i * 131 % 4096;
    int *in, *out, *count;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&count, bins * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = host[i];

    with_memory([&](void* memory, size_t& bytes) { cub::DeviceReduce::Sum(memory, bytes, in, out, n); });
    cudaDeviceSynchronize();
    const int sum = out[0];

    with_memory([&](void* memory, size_t& bytes) { cub::DeviceScan::InclusiveSum(memory, bytes, in, out, n); });
    cudaDeviceSynchronize();
    int wrong = 0, running = 0;
    for (int i = 0; i < n; ++i) wrong += out[i] != (running += host[i]);

    with_memory([&](void* memory, size_t& bytes) {
        cub::DeviceHistogram::HistogramEven(memory, bytes, in, count, bins + 1, 0, 4096, n);
    });
    cudaDeviceSynchronize();
    int counted = 0;
    for (int i = 0; i < bins; ++i) counted += count[i];

    wrong += sum != running || counted != n;
    printf("sum %d, %d in bins, %d wrong\n", sum, counted, wrong);
    cudaFree(in);
    cudaFree(out);
    cudaFree(count);
    return wrong != 0;
}
