// Wrong: a barrier that only some threads of the block reach. What happens then is not defined: a GPU may wait for
// ever, or go on with half a tile. Right: the barrier outside of the branch.
// finding: divergent_barrier at line 10
#include <cstdio>

__global__ void neighbour_sums(const int* in, int* out, int n) {
    __shared__ int tile[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) tile[threadIdx.x] = in[i];
    if (i < n) __syncthreads();
    if (i < n) out[i] = tile[threadIdx.x] + tile[threadIdx.x > 0 ? threadIdx.x - 1 : 0];
}

int main() {
    constexpr int n = 1000;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i;
    neighbour_sums<<<(n + 255) / 256, 256>>>(in, out, n);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
