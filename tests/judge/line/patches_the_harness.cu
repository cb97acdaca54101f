// expect: evades_watch
// Makes code of the harness writable.
#include <sys/mman.h>
#include <cstdint>
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    auto* code = reinterpret_cast<unsigned char*>(&cudaGetErrorString);
    auto page = reinterpret_cast<std::uintptr_t>(code) & ~std::uintptr_t(4095);
    if (mprotect(reinterpret_cast<void*>(page), 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) code[0] = code[0];
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}
