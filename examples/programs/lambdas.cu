// Lambdas of the host as a kernel's argument, and lambdas within a kernel. nvcc needs --extended-lambda.
#include <cstdio>

template <class Function>
__global__ void for_each(int n, Function f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

__global__ void inside(int* out) {
    const int base = 10;
    const auto add = [base](int x) { return base + x; };
    out[threadIdx.x] = add(threadIdx.x);
}

int main() {
    const int n = 100;
    int* out;
    cudaMallocManaged(&out, n * sizeof(int));
    const int factor = 3;
    for_each<<<2, 32>>>(n, [=] __device__(int i) { out[i] = factor * i; });
    cudaDeviceSynchronize();
    printf("%d %d\n", out[1], out[n - 1]);
    for_each<<<2, 32>>>(n, [out] __host__ __device__(int i) { out[i] += 1; });
    cudaDeviceSynchronize();
    printf("%d %d\n", out[1], out[n - 1]);
    inside<<<1, 4>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[3]);
}
