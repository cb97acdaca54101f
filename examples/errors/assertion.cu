// Shows: a kernel that checks what it was given names the line, the block and the thread itself.
#undef NDEBUG  // a release build's -DNDEBUG takes assertions out of kernels as well
#include <cassert>
#include <cstdio>

#include <cuda_runtime.h>

__global__ void need_even(int value) { assert(value % 2 == 0); }

void tell(const char* what, cudaError_t code) {
    std::printf("%s: %s (%s)\n", what, cudaGetErrorName(code), cudaGetErrorString(code));
}

int main() {
    need_even<<<1, 1>>>(6);
    tell("6", cudaDeviceSynchronize());
    need_even<<<1, 1>>>(7);
    tell("7", cudaDeviceSynchronize());
}
