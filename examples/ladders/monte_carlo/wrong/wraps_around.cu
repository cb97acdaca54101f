// expect: wrong_result
// The sum of two squares does not fit into 32 bits.
// grid: ceil(n/128)
// block: 128
__global__ void count(const unsigned* seeds, int* inside, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned state = seeds[i];
    int found = 0;
    for (int point = 0; point < 64; ++point) {
        state = 1664525u * state + 1013904223u;
        const unsigned x = state >> 16;
        state = 1664525u * state + 1013904223u;
        const unsigned y = state >> 16;
        if (x * x + y * y < 1ull << 32) ++found;
    }
    inside[i] = found;
}
