// Kernels without <<<>>>: by their address with an array of arguments, and by a configuration with attributes.
#include <cstdio>

__global__ void add(int* out, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += value;
}
template <class T>
__global__ void scale(T* out, T factor) {
    out[threadIdx.x] *= factor;
}

int main() {
    const int n = 40;
    int* out;
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) out[i] = i;
    int count = n, value = 100;
    void* arguments[] = {&out, &count, &value};
    const void* const kernels[] = {(const void*)add};
    printf("%s\n", cudaGetErrorName(cudaLaunchKernel(kernels[0], dim3(2), dim3(32), arguments, 0, 0)));
    int factor = 2;
    void* scaling[] = {&out, &factor};
    printf("%s\n", cudaGetErrorName(cudaLaunchKernel(reinterpret_cast<void*>(&scale<int>), 1, 32, scaling, 0, 0)));

    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributePriority;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    printf("%s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, add, out, n, short(1))));
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[31], out[32]);
}
