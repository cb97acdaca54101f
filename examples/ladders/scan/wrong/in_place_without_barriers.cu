// expect: race
// Threads add what lies behind them in the array that others are changing, some of it before it was copied.
// grid: 1
// block: 1024
__global__ void scan(const int* x, int* y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i];
    for (int distance = 1; distance < n; distance *= 2)
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            if (i >= distance) y[i] += y[i - distance];
}
