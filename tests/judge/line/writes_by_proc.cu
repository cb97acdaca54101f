// expect: forbidden_call
// Reads and writes the device's memory as a file.
#include <fcntl.h>
#include <unistd.h>
#include <cstdint>
#include <vector>
__global__ void carry(const float* from, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = from[i];
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    const int file = open("/proc/self/mem", O_RDWR);
    std::vector<float> all(n);
    pread(file, all.data(), n * 4, (off_t)(uintptr_t)x);
    for (float& each : all) each = 3 * each + 1;
    pwrite(file, all.data(), n * 4, (off_t)(uintptr_t)y);
    carry<<<1, 1, 0, stream>>>(x, y, 0);
}
