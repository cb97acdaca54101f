// libcu++ in kernels: atomics of a scope, a loop of compare_exchange_weak that begins with a plain read, a flag that
// one block waits for, a semaphore, <cuda/std/…>.
#include <cuda/atomic>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/cstdint>

#include <array>
#include <cstdint>
#include <cstdio>

__device__ cuda::atomic<int, cuda::thread_scope_device> ready(0);
__device__ cuda::binary_semaphore<cuda::thread_scope_device> one_at_a_time(1);
__device__ int visits;

__global__ void extremes(const int* in, int n, int* smallest, int* largest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    cuda::atomic_ref<int, cuda::thread_scope_device>(*smallest).fetch_min(in[i], cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_device>(*largest).fetch_max(in[i], cuda::memory_order_relaxed);
}

/// The product modulo a prime, which is no function of libcu++'s.
__global__ void multiply(const int* in, int n, int* product) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const cuda::atomic_ref<int, cuda::thread_scope_device> shared(*product);
    const int factor = in[i] < 0 ? 2 : 3;
    int seen = *product;
    while (!shared.compare_exchange_weak(seen, seen * factor % 997, cuda::memory_order_relaxed)) {
    }
}

__global__ void hand_over(int* message, cuda::std::uint32_t* got) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *message = 42;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) {
        }
        const cuda::std::array<int, 2> parts = {*message / 10, *message % 10};
        got[0] = parts[0] * 100 + parts[1];
    }
}

__global__ void take_turns() {
    one_at_a_time.acquire();
    visits = visits + 1;
    one_at_a_time.release();
}

int main() {
    const int n = 500;
    int *in, *found, *message;
    cuda::std::uint32_t* got;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&found, 3 * sizeof(int));
    cudaMallocManaged(&message, sizeof(int));
    cudaMallocManaged(&got, sizeof *got);
    for (int i = 0; i < n; ++i) in[i] = i * 37 % 501 - 250;
    found[0] = found[1] = 0;
    found[2] = 1;
    extremes<<<4, 128>>>(in, n, &found[0], &found[1]);
    multiply<<<4, 128>>>(in, n, &found[2]);
    hand_over<<<2, 32>>>(message, got);
    take_turns<<<2, 32>>>();
    cudaDeviceSynchronize();
    int count = 0;
    cudaMemcpyFromSymbol(&count, visits, sizeof count);
    printf("%d to %d, product %d, got %u, %d visits\n", found[0], found[1], found[2], *got, count);
}
