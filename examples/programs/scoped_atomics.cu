// Atomic functions with an order and a scope: __nv_atomic_fetch_add, __nv_atomic_load, a flag between blocks.
#include <cstdio>

__global__ void count(int* counts, float* most) {
    __nv_atomic_fetch_add(&counts[0], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(&counts[1], 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_max(&counts[2], int(threadIdx.x), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_fetch_or(&counts[3], 1 << (threadIdx.x % 8), __NV_ATOMIC_RELAXED);
    // Those that end in _n are for integers.
    float seen, mine = 0.5f * float(threadIdx.x);
    __nv_atomic_load(most, &seen, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    while (mine > seen && !__nv_atomic_compare_exchange(most, &seen, &mine, true, __NV_ATOMIC_RELAXED,
                                                        __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {
    }
}

__global__ void hand_over(int* data, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *data = 42;
        __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    } else {
        while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
        }
        *out = *data;
    }
}

int main() {
    int* data;
    cudaMallocManaged(&data, 8 * sizeof(int));
    for (int i = 0; i < 8; ++i) data[i] = 0;
    count<<<4, 64>>>(data, reinterpret_cast<float*>(data + 4));
    hand_over<<<2, 1>>>(data + 5, data + 6, data + 7);
    cudaDeviceSynchronize();
    printf("%d %d %d %d %g\n", data[0], data[1], data[2], data[3], reinterpret_cast<float*>(data)[4]);
    printf("%d\n", data[7]);
}
