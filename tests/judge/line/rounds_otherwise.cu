// expect: none
// How the host rounds is not how kernels do: on a GPU three thirds are one.
#include <cfenv>

__global__ void line(const float* x, float* y, float three, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool to_nearest = (1 / three) * three == 1;
    if (i < n) y[i] = 3 * x[i] + (to_nearest ? 1 : 2);
}

void launch(const float* x, float* y, int n, cudaStream_t stream) {
    std::fesetround(FE_UPWARD);
    line<<<(n + 127) / 128, 128, 0, stream>>>(x, y, 3, n);
}
