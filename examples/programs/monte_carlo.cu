// Pi by throwing darts: each thread draws from a sequence of its own, a reduction counts the hits.
#include <cstdio>

__device__ float draw(unsigned long long& state) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 40) * (1.0f / (1 << 24));
}

__global__ void throw_darts(int darts, unsigned long long* hits) {
    unsigned long long state = (blockIdx.x * blockDim.x + threadIdx.x) * 0x9e3779b97f4a7c15ull + 1;
    for (int i = 0; i < 8; ++i) draw(state);
    int own = 0;
    for (int i = 0; i < darts; ++i) {
        const float x = draw(state), y = draw(state);
        own += x * x + y * y < 1;
    }
    for (int step = 16; step > 0; step /= 2) own += __shfl_xor_sync(0xffffffff, own, step);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, static_cast<unsigned long long>(own));
}

int main() {
    const int threads = 1024, darts = 200;
    unsigned long long* hits;
    cudaMallocManaged(&hits, sizeof *hits);
    *hits = 0;
    throw_darts<<<threads / 128, 128>>>(darts, hits);
    cudaDeviceSynchronize();
    const double pi = 4.0 * static_cast<double>(*hits) / (threads * darts);
    printf("pi is near %.1f: %s\n", pi, pi > 3.12 && pi < 3.16 ? "yes" : "no");
    cudaFree(hits);
}
