// A kernel launches a kernel: the thread that knows how much there is to do starts it, and the host waits for both.
//
// nvcc builds it with `-rdc=true -lcudadevrt`. The simt device refuses the inner launch: the host gets
// cudaErrorNotSupported, and `lanework run` says on the standard error which kernel launches which, and in which line.
#include <cstdio>

__global__ void square(const int* in, int* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = in[i] * in[i];
}

__global__ void plan(const int* in, int* out, const int* count) {
    square<<<(*count + 127) / 128, 128>>>(in, out, *count);
}

int main() {
    constexpr int kCount = 1000;
    int *in = nullptr, *out = nullptr, *count = nullptr;
    cudaMallocManaged(&in, kCount * sizeof(int));
    cudaMallocManaged(&out, kCount * sizeof(int));
    cudaMallocManaged(&count, sizeof(int));
    *count = kCount;
    for (int i = 0; i < kCount; ++i) in[i] = i;

    plan<<<1, 1>>>(in, out, count);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("a launch from a kernel: %s\n", cudaGetErrorName(error));
    if (error == cudaErrorNotSupported) return 0;
    int wrong = 0;
    for (int i = 0; i < kCount; ++i) wrong += out[i] != i * i;
    std::printf("%d wrong\n", wrong);
    return error != cudaSuccess || wrong > 0;
}
