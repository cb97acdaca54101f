// A histogram of bytes: in global memory, and in a block's shared memory first.
#include <cstdio>
#include <vector>

__global__ void global_bins(const unsigned char* data, int n, unsigned* bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1u);
}

__global__ void shared_bins(const unsigned char* data, int n, unsigned* bins) {
    __shared__ unsigned own[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[data[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (own[i] > 0) atomicAdd(&bins[i], own[i]);
}

int main() {
    const int n = 20000;
    std::vector<unsigned char> data(n);
    std::vector<unsigned> expected(256), found(256);
    for (int i = 0; i < n; ++i) ++expected[data[i] = static_cast<unsigned char>((i * i) >> 3)];
    unsigned char* device;
    unsigned* bins;
    cudaMalloc(&device, n);
    cudaMalloc(&bins, 256 * sizeof(unsigned));
    cudaMemcpy(device, data.data(), n, cudaMemcpyHostToDevice);
    for (const bool shared : {false, true}) {
        cudaMemset(bins, 0, 256 * sizeof(unsigned));
        if (shared)
            shared_bins<<<8, 128>>>(device, n, bins);
        else
            global_bins<<<8, 128>>>(device, n, bins);
        cudaMemcpy(found.data(), bins, 256 * sizeof(unsigned), cudaMemcpyDeviceToHost);
        printf("%s: %s\n", shared ? "shared" : "global", found == expected ? "right" : "wrong");
    }
    cudaFree(device);
    cudaFree(bins);
}
