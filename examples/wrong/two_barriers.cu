// Wrong: the tile is read before it is full, and filled again before everybody has read: two mistakes, although it is
// one tile. Right: __syncthreads() behind each of the two.
// finding: race at line 13, of 2, wrong under --schedule 3
#include <cstdio>

__global__ void turn_twice(const int* in, int* out) {
    __shared__ int tile[256];
    const int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    const int first = tile[255 - t];
    // __syncthreads() here, and
    tile[t] = first + 1;
    // __syncthreads() here.
    out[t] = tile[(t + 128) % 256];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 256 * sizeof(int));
    cudaMallocManaged(&out, 256 * sizeof(int));
    for (int i = 0; i < 256; ++i) in[i] = i;
    turn_twice<<<1, 256>>>(in, out);
    cudaDeviceSynchronize();
    std::printf("%d, right is 128\n", out[0]);
}
