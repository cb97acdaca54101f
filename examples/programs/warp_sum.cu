// Shows: shuffles: the lanes of each warp add their values up without shared memory.
#include <cstdio>

__global__ void warp_sums(const int* in, int* out) {
    int value = in[threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = value;
}

int main() {
    constexpr int threads = 128, warps = threads / 32;
    int host[threads], sums[warps], *in, *out;
    for (int i = 0; i < threads; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof sums);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    warp_sums<<<1, threads>>>(in, out);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    for (int warp = 0; warp < warps; ++warp) std::printf("warp %d: %d\n", warp, sums[warp]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
