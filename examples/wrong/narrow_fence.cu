// Wrong: fences of a block's scope stand around the flag of two blocks, and order nothing between them. Right:
// cuda::thread_scope_device. Without a GPU it comes out right under every schedule: writes are seen in their order.
// finding: race at line 9
#include <cstdio>
#include <cuda/atomic>

__global__ void hand_over(int* value, int* flag) {
    if (blockIdx.x == 0) {
        value[0] = 42;
        cuda::atomic_thread_fence(cuda::std::memory_order_release, cuda::thread_scope_block);
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        cuda::atomic_thread_fence(cuda::std::memory_order_acquire, cuda::thread_scope_block);
        value[1] = value[0];
    }
}

int main() {
    int *value, *flag;
    cudaMallocManaged(&value, 2 * sizeof(int));
    cudaMallocManaged(&flag, sizeof(int));
    *flag = 0;
    hand_over<<<2, 1>>>(value, flag);
    cudaDeviceSynchronize();
    std::printf("%d\n", value[1]);
}
