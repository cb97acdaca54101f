// Wrong: the last warp of a sum is trusted to keep step from line to line. Right: __syncwarp() between the reads and
// the write of each line and behind it, or __shfl_down_sync.
// finding: warp_synchrony at line 12, of 1
#include <cstdio>

__global__ void sum_of(const int* in, int* out) {
    __shared__ int part[64];
    const int t = threadIdx.x;
    part[t] = in[t];
    __syncthreads();
    if (t < 32) {
        part[t] += part[t + 32];
        if (t < 16) part[t] += part[t + 16];
        if (t < 8) part[t] += part[t + 8];
        if (t < 4) part[t] += part[t + 4];
        if (t < 2) part[t] += part[t + 2];
        if (t < 1) part[t] += part[t + 1];
    }
    if (t == 0) *out = part[0];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 64; ++i) in[i] = 1;
    sum_of<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    std::printf("%d, right is 64\n", *out);
}
