// Copies to shared memory by <cuda_pipeline.h>: a thread asks for the next tile's numbers, works on the last one's, and
// waits for the rest; of a copy at the end of the array the last bytes are zeros.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kThreads = 64, kTiles = 5, kNumbers = kThreads * kTiles * 4 - 2;

__global__ void sum_of_tiles(const float4* in, float* out) {
    __shared__ float4 tiles[2][kThreads];
    const auto copy = [&](int tile) {
        const int i = tile * kThreads + static_cast<int>(threadIdx.x);
        const size_t behind = (i + 1) * 4 > kNumbers ? (i + 1) * 4 - kNumbers : 0;
        __pipeline_memcpy_async(&tiles[tile % 2][threadIdx.x], &in[i], sizeof(float4), behind * sizeof(float));
        __pipeline_commit();
    };
    copy(0);
    float sum = 0;
    for (int tile = 0; tile < kTiles; ++tile) {
        if (tile + 1 < kTiles) copy(tile + 1);
        __pipeline_wait_prior(tile + 1 < kTiles ? 1 : 0);
        __syncthreads();
        const float4 other = tiles[tile % 2][kThreads - 1 - threadIdx.x];
        sum += other.x + other.y + other.z + other.w;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

int main() {
    float *in, *out;
    cudaMallocManaged(&in, kThreads * kTiles * sizeof(float4));
    cudaMallocManaged(&out, kThreads * sizeof(float));
    for (int i = 0; i < kThreads * kTiles * 4; ++i) in[i] = static_cast<float>(i % 10);
    sum_of_tiles<<<1, kThreads>>>(reinterpret_cast<const float4*>(in), out);
    cudaDeviceSynchronize();
    float sum = 0, expected = 0;
    for (int i = 0; i < kThreads; ++i) sum += out[i];
    for (int i = 0; i < kNumbers; ++i) expected += in[i];
    std::printf("sum %.0f, expected %.0f\n", sum, expected);
    cudaFree(in);
    cudaFree(out);
    return sum == expected ? 0 : 1;
}
