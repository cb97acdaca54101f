// Each GPU sums its part of the numbers in memory, a stream and variables of its own; the sums meet on the first one.
// `lanework run --devices 4` has four.
#include <cstdio>
#include <vector>

__constant__ int weight;
__device__ int counted;

__global__ void add_up(const int* in, int n, int* sum) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    atomicAdd(sum, weight * in[i]);
    atomicAdd(&counted, 1);
}

int main() {
    const int n = 10007, weight_of_all = 3, none = 0;
    std::vector<int> host(n);
    for (int i = 0; i < n; ++i) host[i] = i % 100;
    int devices = 0;
    cudaGetDeviceCount(&devices);
    std::vector<int*> in(devices), sum(devices);
    std::vector<cudaStream_t> streams(devices);
    const auto first_of = [&](int device) { return int(long(n) * device / devices); };
    for (int d = 0; d < devices; ++d) {
        const int count = first_of(d + 1) - first_of(d);
        cudaSetDevice(d);
        cudaStreamCreate(&streams[d]);
        cudaMalloc(&in[d], (count + 1) * sizeof(int));
        cudaMalloc(&sum[d], sizeof(int));
        cudaMemsetAsync(sum[d], 0, sizeof(int), streams[d]);
        cudaMemcpyToSymbolAsync(weight, &weight_of_all, sizeof(int), 0, cudaMemcpyHostToDevice, streams[d]);
        cudaMemcpyToSymbolAsync(counted, &none, sizeof(int), 0, cudaMemcpyHostToDevice, streams[d]);
        cudaMemcpyAsync(in[d], host.data() + first_of(d), count * sizeof(int), cudaMemcpyHostToDevice, streams[d]);
        add_up<<<(count + 255) / 256, 256, 0, streams[d]>>>(in[d], count, sum[d]);
    }
    int *parts, all_counted = 0;
    cudaSetDevice(0);
    cudaMalloc(&parts, devices * sizeof(int));
    for (int d = 0; d < devices; ++d) {
        int count = 0;
        cudaSetDevice(d);
        cudaStreamSynchronize(streams[d]);
        cudaMemcpyFromSymbol(&count, counted, sizeof(int));
        all_counted += count;
        cudaMemcpyPeer(parts + d, 0, sum[d], d, sizeof(int));
    }
    std::vector<int> of_device(devices);
    cudaSetDevice(0);
    cudaMemcpy(of_device.data(), parts, devices * sizeof(int), cudaMemcpyDeviceToHost);
    int all = 0, expected = 0;
    for (int part : of_device) all += part;
    for (int value : host) expected += weight_of_all * value;
    printf("%d numbers, sum %d, %s\n", all_counted, all, all == expected ? "as on the host" : "WRONG");
    for (int d = 0; d < devices; ++d) {
        cudaSetDevice(d);
        cudaFree(in[d]);
        cudaFree(sum[d]);
        cudaStreamDestroy(streams[d]);
    }
    cudaFree(parts);
    return all != expected || cudaGetLastError() != cudaSuccess;
}
