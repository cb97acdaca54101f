// A whole program whose kernel reads __constant__ variables and updates __device__ ones; of these `unread` is nobody's
// on the host, and a compiler for it leaves the variable out.
#include <cstdio>

__constant__ float taps[5];
__constant__ int shift = 3;
static __constant__ float scales[3];
__device__ int above;
namespace {
__device__ unsigned unread;
}
namespace lib {
__device__ float gain = 3;
}

__global__ void blur(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = -2; k <= 2; ++k) sum += taps[k + 2] * in[min(max(i + k, 0), n - 1)];
    out[i] = sum * lib::gain + shift + scales[i % 3];
    if (sum > 4) atomicAdd(&above, 1);
    if (sum > 5) unread = 3;
}

int main() {
    constexpr int kCount = 1000;
    const float weights[5] = {.125f, .25f, .25f, .25f, .125f}, factors[3] = {1, 2, 3};
    cudaMemcpyToSymbol(taps, weights, sizeof weights);
    cudaMemcpyToSymbol(scales, factors, sizeof factors);
    float *in, *out, numbers[kCount];
    for (int i = 0; i < kCount; ++i) numbers[i] = static_cast<float>(i % 9);
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof numbers);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    blur<<<(kCount + 127) / 128, 128>>>(in, out, kCount);
    cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
    int count = 0;
    cudaMemcpyFromSymbol(&count, above, sizeof count);
    std::printf("%g, %d above\n", numbers[17], count);
    cudaFree(in);
    cudaFree(out);
}
