// A warp a seed: each lane jumps ahead to two points of its own, a vote counts them.
// climbs from: naive
// grid: ceil(n/4)
// block: 32, 4
__global__ void count(const unsigned* seeds, int* inside, int n) {
    const int i = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (i >= n) return;
    // 4·lane steps at once: state ← a·state + c.
    unsigned a = 1, c = 0;
    for (unsigned step_a = 1664525u, step_c = 1013904223u, left = 4 * lane; left > 0; left /= 2) {
        if (left % 2 == 1) {
            c = step_a * c + step_c;
            a = step_a * a;
        }
        step_c = step_a * step_c + step_c;
        step_a = step_a * step_a;
    }
    unsigned state = a * seeds[i] + c;
    int found = 0;
    for (int point = 0; point < 2; ++point) {
        state = 1664525u * state + 1013904223u;
        const unsigned long long x = state >> 16;
        state = 1664525u * state + 1013904223u;
        const unsigned long long y = state >> 16;
        found += __popc(__ballot_sync(~0u, x * x + y * y < 1ull << 32));
    }
    if (lane == 0) inside[i] = found;
}
