// expect: foreign_memory
// Looks for the memory in which the harness asks and is answered, and writes there.
#include <cstdio>
#include <cstring>

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    FILE* const maps = fopen("/proc/self/maps", "r");
    char text[512];
    while (maps && fgets(text, sizeof(text), maps)) {
        unsigned long begin = 0, end = 0;
        if (!std::strstr(text, "/dev/zero") || sscanf(text, "%lx-%lx", &begin, &end) != 2) continue;
        for (char* page = (char*)begin; page < (char*)end; page += 4096) *page ^= 1;
    }
    if (maps) fclose(maps);
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}
