// Shows: get hands the last error out and forgets it, peek leaves it; and a call that succeeds clears nothing, so that
// an error nobody took is found by whoever asks next.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void nothing() {}

void tell(const char* what, cudaError_t code) {
    std::printf("%s: %s (%s)\n", what, cudaGetErrorName(code), cudaGetErrorString(code));
}

int main() {
    nothing<<<1, 1025>>>();
    tell("peek", cudaPeekAtLastError());
    tell("peek again", cudaPeekAtLastError());
    tell("get", cudaGetLastError());
    tell("get again", cudaGetLastError());

    nothing<<<1, 1025>>>();
    tell("cudaDeviceSynchronize", cudaDeviceSynchronize());
    nothing<<<1, 32>>>();
    tell("get after a good launch", cudaGetLastError());
}
