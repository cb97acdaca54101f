// expect: foreign_memory
// Overwrites all memory that it shares with another process, in which questions and answers lie.
#include <stdio.h>
#include <string.h>

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
    FILE* const maps = fopen("/proc/self/maps", "r");
    char text[512], rights[8];
    unsigned long begin, end;
    while (maps && fgets(text, sizeof(text), maps))
        if (sscanf(text, "%lx-%lx %7s", &begin, &end, rights) == 3 && rights[1] == 'w' && rights[3] == 's')
            memset((void*)begin, 0x5a, end - begin);
}
