// Shows: a whole program: memory, copies, a launch with a grid-stride loop, and a check of the result.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void saxpy(int n, float a, const float* x, float* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) {
        x[i] = float(i);
        y[i] = 1.0f;
    }
    float *device_x, *device_y;
    cudaMalloc(&device_x, n * sizeof(float));
    cudaMalloc(&device_y, n * sizeof(float));
    cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    saxpy<<<4, 128>>>(n, 2.0f, device_x, device_y);
    cudaMemcpy(y.data(), device_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += y[i] != 2.0f * float(i) + 1.0f;
    std::printf("%d elements, %d wrong\n", n, wrong);
    cudaFree(device_x);
    cudaFree(device_y);
    return wrong != 0;
}
