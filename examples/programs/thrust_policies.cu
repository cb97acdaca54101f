// Thrust's policies thrust::host and thrust::device, which each of its algorithms brings along, on plain memory.
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>

#include <cstdio>

struct Odd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

__global__ void square(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

int main() {
    const int n = 1000;
    int *numbers, on_host[n];
    cudaMallocManaged(&numbers, n * sizeof(int));
    for (int i = 0; i < n; ++i) numbers[i] = on_host[i] = i;
    const int* const behind = thrust::partition(thrust::device, numbers, numbers + n, Odd());
    const int sum = thrust::reduce(thrust::device, numbers, numbers + (behind - numbers));
    printf("device: %d odd numbers, their sum is %d\n", static_cast<int>(behind - numbers), sum);
    printf("host: the sum is %d\n", thrust::reduce(thrust::host, on_host, on_host + n));
    int *of_device, *squares;  // that the host does not touch
    cudaMalloc(&of_device, n * sizeof(int));
    cudaMalloc(&squares, n * sizeof(int));
    thrust::sequence(thrust::device, of_device, of_device + n);
    square<<<(n + 127) / 128, 128>>>(of_device, squares, n);
    printf("device: the sum of squares is %d\n", thrust::reduce(thrust::device, squares, squares + n));
}
