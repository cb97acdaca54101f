// Host memory that kernels use where it is: mapped when it is allocated, and registered later.
#include <cstdio>
#include <vector>

__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

int main() {
    const int n = 1000;
    float *a, *sum, *on_device_a, *on_device_b, *on_device_sum;
    cudaHostAlloc(&a, n * sizeof(float), cudaHostAllocMapped);
    cudaHostAlloc(&sum, n * sizeof(float), cudaHostAllocMapped | cudaHostAllocWriteCombined);
    std::vector<float> b(n);
    cudaHostRegister(b.data(), n * sizeof(float), cudaHostRegisterMapped);
    for (int i = 0; i < n; ++i) {
        a[i] = i * 0.5f;
        b[i] = n - i;
    }
    cudaHostGetDevicePointer(&on_device_a, a, 0);
    cudaHostGetDevicePointer(&on_device_b, b.data(), 0);
    cudaHostGetDevicePointer(&on_device_sum, sum, 0);
    add<<<(n + 255) / 256, 256>>>(on_device_a, on_device_b, on_device_sum, n);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += sum[i] != a[i] + b[i];
    printf("%d wrong; %g %g\n", wrong, sum[0], sum[n - 1]);
    cudaHostUnregister(b.data());
    cudaFreeHost(a);
    cudaFreeHost(sum);
}
