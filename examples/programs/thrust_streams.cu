// Thrust on a stream: thrust::cuda::par.on(stream), and memory that a kernel of the same stream wrote.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <cstdio>

__global__ void fill(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i * 7 % n;
}

int main() {
    const int n = 100;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    thrust::device_vector<int> values(n);
    fill<<<2, 64, 0, stream>>>(thrust::raw_pointer_cast(values.data()), n);
    thrust::sort(thrust::cuda::par.on(stream), values.begin(), values.end());
    const int sum = thrust::reduce(thrust::cuda::par_nosync.on(stream), values.begin(), values.end());
    cudaStreamSynchronize(stream);
    const int first = values[0], last = values[n - 1];
    printf("%d to %d, %d in all\n", first, last, sum);
    cudaStreamDestroy(stream);
}
