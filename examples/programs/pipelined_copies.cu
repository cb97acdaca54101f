// cuda::pipeline of libcu++: a block copies the next tiles to shared memory while it adds up the one before.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/pipeline>

#pragma nv_diag_suppress static_var_with_dynamic_init  // of the pipeline's state in shared memory

constexpr int kTile = 128, kStages = 2;

__global__ void add_up(const int* in, int* sums, int tiles) {
    const auto block = cooperative_groups::this_thread_block();
    __shared__ int staged[kStages][kTile];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
    auto pipeline = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int tile = 0, asked = 0; tile < tiles; ++tile) {
        for (; asked < tiles && asked < tile + kStages; ++asked) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, staged[asked % kStages], in + asked * kTile,
                               cuda::aligned_size_t<16>(sizeof staged[0]), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += staged[tile % kStages][threadIdx.x];
        pipeline.consumer_release();
    }
    sums[threadIdx.x] = sum;
}

int main() {
    const int tiles = 10;
    int *in, *sums;
    cudaMallocManaged(&in, tiles * kTile * sizeof(int));
    cudaMallocManaged(&sums, kTile * sizeof(int));
    for (int i = 0; i < tiles * kTile; ++i) in[i] = i;
    add_up<<<1, kTile>>>(in, sums, tiles);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::printf("%d %d %d\n", sums[0], sums[1], sums[kTile - 1]);
    cudaFree(in);
    cudaFree(sums);
}
