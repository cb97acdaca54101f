// A bitonic sort in shared memory, each block its own part, and merges of the parts in global memory.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr unsigned kPart = 512;

__device__ void order(unsigned& a, unsigned& b, bool up) {
    if ((a > b) != up) return;
    const unsigned kept = a;
    a = b;
    b = kept;
}

__global__ void sort_parts(unsigned* values) {
    __shared__ unsigned part[kPart];
    const unsigned first = blockIdx.x * kPart;
    for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) part[i] = values[first + i];
    for (unsigned size = 2; size <= kPart; size *= 2) {
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            const unsigned i = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            order(part[i], part[i + stride], ((first + i) & size) == 0);
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) values[first + i] = part[i];
}

__global__ void merge(unsigned* values, unsigned size, unsigned stride) {
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x, i = 2 * t - (t & (stride - 1));
    order(values[i], values[i + stride], (i & size) == 0);
}

int main() {
    const unsigned n = 4096;
    std::vector<unsigned> values(n);
    for (unsigned i = 0; i < n; ++i) values[i] = i * 2654435761u >> 8;
    std::vector<unsigned> expected = values, sorted(n);
    std::sort(expected.begin(), expected.end());
    unsigned* device;
    cudaMalloc(&device, n * sizeof(unsigned));
    cudaMemcpy(device, values.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    sort_parts<<<n / kPart, kPart / 2>>>(device);
    for (unsigned size = 2 * kPart; size <= n; size *= 2)
        for (unsigned stride = size / 2; stride > 0; stride /= 2) merge<<<n / 512, 256>>>(device, size, stride);
    cudaMemcpy(sorted.data(), device, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    printf("%s; %u … %u\n", sorted == expected ? "sorted" : "wrong", sorted.front(), sorted.back());
    cudaFree(device);
}
