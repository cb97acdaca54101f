// Thrust: vectors of the device, sorting, reducing, scanning, transforming, and kernels on their memory.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <cstdio>

struct Square {
    __host__ __device__ long long operator()(int x) const { return 1ll * x * x; }
};
struct Even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

__global__ void increment(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ++values[i];
}

int main() {
    const int n = 1000;
    thrust::host_vector<int> keys(n);
    for (int i = 0; i < n; ++i) keys[i] = i * 7919 % 1000;
    thrust::device_vector<int> device = keys, index(n);
    thrust::sequence(index.begin(), index.end());
    try {
        thrust::sort_by_key(device.begin(), device.end(), index.begin());
    } catch (const thrust::system_error& error) {
        printf("cannot sort: %s\n", error.what());
        return 1;
    }
    printf("sorted: %d %d %d, from %d\n", (int)device[0], (int)device[1], (int)device[n - 1], (int)index[1]);

    increment<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(device.data()), n);
    printf("sum %d\n", thrust::reduce(device.begin(), device.end(), 0, thrust::plus<int>()));
    printf("squares %lld\n",
           thrust::transform_reduce(device.begin(), device.end(), Square(), 0ll, thrust::plus<long long>()));

    thrust::device_vector<int> prefix(n), even(n);
    thrust::exclusive_scan(device.begin(), device.end(), prefix.begin());
    const auto end = thrust::copy_if(thrust::device, device.begin(), device.end(), even.begin(), Even());
    printf("prefix %d, even %d\n", (int)prefix[n - 1], (int)(end - even.begin()));

    const auto first = thrust::make_zip_iterator(thrust::make_tuple(thrust::make_counting_iterator(0), device.begin()));
    const auto later = thrust::count_if(first, first + n, [] __host__ __device__(const thrust::tuple<int, int>& pair) {
        return thrust::get<1>(pair) > thrust::get<0>(pair);
    });
    printf("beyond their index: %d\n", (int)later);
    return cudaGetLastError() != cudaSuccess;
}
