// expect: crash
// Asks the host for more memory than it may map.
#include <vector>
__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    std::vector<char> all(std::size_t{1} << 40);
    *static_cast<volatile char*>(&all[n]) = 1;  // a compiler leaves out what nobody uses
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n);
}
