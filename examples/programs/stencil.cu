// A stencil of seven points: a block's tile in shared memory with a halo on both sides.
#include <cstdio>
#include <vector>

constexpr int kRadius = 3, kBlock = 128;

__global__ void smooth(const int* in, int* out, int n) {
    __shared__ int tile[kBlock + 2 * kRadius];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + kRadius;
    tile[at] = i < n ? in[i] : 0;
    if (threadIdx.x < kRadius) {
        tile[at - kRadius] = i >= kRadius ? in[i - kRadius] : 0;
        tile[at + kBlock] = i + kBlock < n ? in[i + kBlock] : 0;
    }
    __syncthreads();
    if (i >= n) return;
    int sum = 0;
    for (int k = -kRadius; k <= kRadius; ++k) sum += tile[at + k];
    out[i] = sum;
}

int main() {
    const int n = 1000;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i % 17;
    int *from, *to;
    cudaMalloc(&from, n * sizeof(int));
    cudaMalloc(&to, n * sizeof(int));
    cudaMemcpy(from, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    smooth<<<(n + kBlock - 1) / kBlock, kBlock>>>(from, to, n);
    cudaMemcpy(out.data(), to, n * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        int sum = 0;
        for (int k = -kRadius; k <= kRadius; ++k) sum += i + k >= 0 && i + k < n ? in[i + k] : 0;
        wrong += sum != out[i];
    }
    printf("%d wrong; %d %d %d\n", wrong, out[0], out[500], out[n - 1]);
    cudaFree(from);
    cudaFree(to);
}
