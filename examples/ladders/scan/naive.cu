// log2(n) launches, each of which adds what lies twice as far behind: n·log2(n) additions.
// workspace: 4*n
__global__ void add_behind(const int* from, int* to, int n, int distance) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] + (i >= distance ? from[i - distance] : 0);
}

void launch(const int* x, int* y, int* workspace, int n, cudaStream_t stream) {
    int steps = 0;
    while (1 << steps < n) ++steps;
    const int* from = x;
    for (int step = 0; step < steps || step == 0; ++step) {
        int* const to = (steps - step) % 2 == 1 || steps == 0 ? y : workspace;
        add_behind<<<(n + 255) / 256, 256, 0, stream>>>(from, to, n, 1 << step);
        from = to;
    }
}
