// Wrong: a launch returns at once, and the host reads what may not be written yet. Right: the host waits first.
// finding: host_race at line 20
#include <cstdio>

__global__ void twice(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

int main() {
    constexpr int n = 1000;
    int* data;
    cudaMallocManaged(&data, n * sizeof(int));
    for (int i = 0; i < n; ++i) data[i] = i;

    twice<<<(n + 255) / 256, 256>>>(data, n);
    // cudaDeviceSynchronize();

    int sum = 0;
    for (int i = 0; i < n; ++i) sum += data[i];
    std::printf("%d\n", sum);
    cudaFree(data);
}
