// Thrust's policies thrust::host and thrust::device, which each of its algorithms brings along, on plain memory.
#include <thrust/partition.h>
#include <thrust/reduce.h>

#include <cstdio>

struct Odd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

int main() {
    const int n = 1000;
    int *numbers, on_host[n];
    cudaMallocManaged(&numbers, n * sizeof(int));
    for (int i = 0; i < n; ++i) numbers[i] = on_host[i] = i;
    const int* const behind = thrust::partition(thrust::device, numbers, numbers + n, Odd());
    const int sum = thrust::reduce(thrust::device, numbers, numbers + (behind - numbers));
    printf("device: %d odd numbers, their sum is %d\n", static_cast<int>(behind - numbers), sum);
    printf("host: the sum is %d\n", thrust::reduce(thrust::host, on_host, on_host + n));
}
