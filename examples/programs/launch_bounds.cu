// Words that CUDA adds to declarations, and templates for host and device.
#include <cstdio>

template <class T, int N>
struct Polynomial {
    T coefficient[N];
    __host__ __device__ constexpr T operator()(T x) const {
        T sum = 0;
        for (int i = N - 1; i >= 0; --i) sum = sum * x + coefficient[i];
        return sum;
    }
};

template <class T, int N>
__global__ void __launch_bounds__(64, 2) evaluate(const __grid_constant__ Polynomial<T, N> p, T* __restrict__ out) {
    out[threadIdx.x] = p(static_cast<T>(threadIdx.x));
}

__device__ __forceinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int thrice(int x) { return 3 * x; }

extern "C" __global__ void both(int* out) {
#pragma unroll
    for (int i = 0; i < 2; ++i) out[i] = i ? thrice(5) : twice(5);
}

int main() {
    const Polynomial<float, 3> p{{1, 2, 3}};
    float* out;
    int* numbers;
    cudaMallocManaged(&out, 8 * sizeof(float));
    cudaMallocManaged(&numbers, 2 * sizeof(int));
    evaluate<<<1, 8>>>(p, out);
    both<<<1, 1>>>(numbers);
    cudaDeviceSynchronize();
    printf("%g %g, on the host %g; %d %d\n", out[2], out[7], p(7.0f), numbers[0], numbers[1]);
}
