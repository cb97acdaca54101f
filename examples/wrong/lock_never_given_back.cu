// Wrong: a lock that whoever takes it does not give back, since the way out of the function comes first. All other
// threads wait for ever. Right: the lock is given back on every way out.
// finding: endless_wait at line 9
#include <cstdio>

__device__ int lock;

__device__ void keep_largest(int* largest, int value) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    if (value <= *largest) return;
    *largest = value;
    __threadfence();
    atomicExch(&lock, 0);
}

__global__ void largest_of(const int* in, int* largest) { keep_largest(largest, in[blockIdx.x]); }

int main() {
    constexpr int n = 100;
    int *in, *largest;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&largest, sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i * 37 % n;
    *largest = 0;
    largest_of<<<n, 1>>>(in, largest);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
