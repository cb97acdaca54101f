// Wrong: the next round's tiles are put where some warps still read this round's: one barrier that is missing, twelve
// pairs of accesses that race. Right: __syncthreads() at the end of the loop.
// finding: race at line 13, of 1
#include <cstdio>

constexpr int kTile = 64, kRounds = 4;

__global__ void products(const float* a, const float* b, float* out) {
    __shared__ float left[kTile], right[kTile];
    const int t = threadIdx.x;
    float sum = 0;
    for (int round = 0; round < kRounds; ++round) {
        left[t] = a[round * kTile + t];
        right[t] = b[round * kTile + t];
        __syncthreads();
        sum += left[(t + 1) % kTile] * right[(t + 2) % kTile];
        sum += left[(t + 33) % kTile] * right[(t + 34) % kTile];
        sum += left[(t + 50) % kTile] * right[(t + 51) % kTile];
    }
    out[t] = sum;
}

int main() {
    float *a, *b, *out;
    int wrong = 0;
    cudaMallocManaged(&a, kRounds * kTile * sizeof(float));
    cudaMallocManaged(&b, kRounds * kTile * sizeof(float));
    cudaMallocManaged(&out, kTile * sizeof(float));
    for (int i = 0; i < kRounds * kTile; ++i) a[i] = b[i] = i / kTile + 1;
    products<<<1, kTile>>>(a, b, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < kTile; ++i) wrong += out[i] != 3 * (1 + 4 + 9 + 16);
    std::printf("%d of %d are wrong\n", wrong, kTile);
}
