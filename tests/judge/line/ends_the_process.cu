// expect: exit
#include <cstdlib>

__global__ void nothing() {}

void launch(const float* x, float* y, int n, cudaStream_t) { std::exit(0); }
