// __CUDA_ARCH__: kernels for some GPUs alone, functions that differ on host and device, and a polyfill for old GPUs.
#include <cstdio>
#include <stdexcept>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
// GPUs before Pascal do not have it; every other one would find two, and so would nvcc as it compiles for the host.
__device__ double atomicAdd(double* address, double value) {
    unsigned long long* const bits = reinterpret_cast<unsigned long long*>(address);
    unsigned long long seen = *bits, expected;
    do {
        expected = seen;
        seen = atomicCAS(bits, expected, __double_as_longlong(value + __longlong_as_double(expected)));
    } while (seen != expected);
    return __longlong_as_double(seen);
}
#endif

#define BOTH __host__ __device__

BOTH const char* place() {
#ifdef __CUDA_ARCH__
    return "device";
#else
    return "host";
#endif
}

BOTH int index_here() {
#ifdef __CUDA_ARCH__
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
#else
    return -1;
#endif
}

BOTH void require(bool holds) {
#ifdef __CUDA_ARCH__
    if (!holds) __trap();
#else
    if (!holds) throw std::runtime_error("required");
#endif
}

__global__ void sum(double* total, int* indices) {
#if __CUDA_ARCH__ >= 600
    const int i = index_here();
    require(i >= 0);
    indices[i] = i;
    atomicAdd(total, 0.5);
    if (i == 0) printf("on the %s\n", place());
#endif
}

int main() {
    double* total;
    int* indices;
    cudaMallocManaged(&total, sizeof(double));
    cudaMallocManaged(&indices, 256 * sizeof(int));
    *total = 0;
    sum<<<2, 128>>>(total, indices);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    bool thrown = false;
    try {
        require(false);
    } catch (const std::exception&) {
        thrown = true;
    }
    std::printf("sum %g, last index %d\non the %s: index %d, %s\n", *total, indices[255], place(), index_here(),
                thrown ? "thrown" : "not thrown");
    return 0;
}
