// Wrong: a flag that one block sets and another waits for has the scope of a block, so that it orders nothing between
// them. Right: cuda::thread_scope_device. Without a GPU it comes out right: writes are seen in their order.
// finding: race at line 10
#include <cstdio>
#include <cuda/atomic>

__global__ void hand_over(int* value, int* flag_memory) {
    cuda::atomic_ref<int, cuda::thread_scope_block> flag(*flag_memory);
    if (blockIdx.x == 0) {
        value[0] = 42;
        flag.store(1, cuda::std::memory_order_release);
    } else {
        while (flag.load(cuda::std::memory_order_acquire) == 0) {
        }
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
