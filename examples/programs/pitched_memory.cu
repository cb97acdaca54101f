// Rows with a pitch, and copies of a part of them.
#include <cstdio>
#include <vector>

__global__ void add_column(float* data, size_t pitch, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width || y >= height) return;
    float* const row = reinterpret_cast<float*>(reinterpret_cast<char*>(data) + y * pitch);
    row[x] += x;
}

int main() {
    const int width = 37, height = 5;
    float* data;
    size_t pitch;
    cudaMallocPitch(&data, &pitch, width * sizeof(float), height);
    printf("a row takes %s than it holds\n", pitch > width * sizeof(float) ? "more" : "no more");
    std::vector<float> host(width * height);
    for (int i = 0; i < width * height; ++i) host[i] = i / width * 100;
    cudaMemcpy2D(data, pitch, host.data(), width * sizeof(float), width * sizeof(float), height,
                 cudaMemcpyHostToDevice);
    add_column<<<dim3(2, height), 32>>>(data, pitch, width, height);
    cudaMemcpy2D(host.data(), width * sizeof(float), data, pitch, width * sizeof(float), height,
                 cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", host[0], host[2 * width + 3], host[height * width - 1]);
    cudaMemset2D(data, pitch, 0, 2 * sizeof(float), height);
    cudaMemcpy2D(host.data(), width * sizeof(float), data, pitch, width * sizeof(float), height,
                 cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", host[4 * width], host[4 * width + 1], host[4 * width + 2]);
    cudaFree(data);
}
