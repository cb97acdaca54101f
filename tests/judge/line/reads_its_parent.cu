// expect: wrong_result
// Right only where the harness's memory, the machine's files or its folders can be read: then this test fails.
#include <dirent.h>

#include <cstdio>

__global__ void line(const float* x, float* y, float b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + b;
}

bool reads_what_is_not_its_own() {
    FILE* const stat = fopen("/proc/self/stat", "r");
    int itself = 0, parent = 0;
    char name[99], state;
    if (!stat || fscanf(stat, "%d %98s %c %d", &itself, name, &state, &parent) != 4) return false;
    snprintf(name, sizeof(name), "/proc/%d/mem", parent);
    return fopen(name, "r") || fopen("/proc/self/root/etc/passwd", "r") || opendir("/tmp");
}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    const float b = reads_what_is_not_its_own() ? 1 : 2;
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, b, n);
}
