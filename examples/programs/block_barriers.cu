// libcu++'s barriers and pipelines: arrival and waiting apart, copies that a barrier or two stages of shared memory
// await.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include <cstdio>
#include <utility>

namespace cg = cooperative_groups;
constexpr int kThreads = 64;

__global__ void reversed(const int* in, int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int staged[kThreads];
    const auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, kThreads);
    block.sync();
    cuda::memcpy_async(block, staged, in, sizeof staged, barrier);
    auto token = barrier.arrive();
    const int own = 1000 * static_cast<int>(threadIdx.x);  // work that needs nothing of the copy
    barrier.wait(std::move(token));
    out[threadIdx.x] = own + staged[kThreads - 1 - threadIdx.x];
}

__global__ void sums(const int* in, int* out, int batches) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int staged[2][kThreads];
    const auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int computed = 0, fetched = 0; computed < batches; ++computed) {
        for (; fetched < batches && fetched < computed + 2; ++fetched) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, staged[fetched % 2], in + fetched * kThreads, sizeof staged[0], pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += staged[computed % 2][kThreads - 1 - threadIdx.x];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

int main() {
    const int batches = 10;
    int *in, *out;
    cudaMallocManaged(&in, batches * kThreads * sizeof(int));
    cudaMallocManaged(&out, kThreads * sizeof(int));
    for (int i = 0; i < batches * kThreads; ++i) in[i] = i;
    reversed<<<1, kThreads>>>(in, out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[1], out[63]);
    sums<<<1, kThreads>>>(in, out, batches);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[63]);
}
