// expect: forbidden_call
#include <cstdlib>

__global__ void nothing() {}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    nothing<<<1, 1, 0, stream>>>();
    if (std::system("python3 reference.py") != 0) return;
}
