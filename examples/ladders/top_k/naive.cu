// One thread a row looks for the next largest k times.
// grid: ceil(n/64)
// block: 64
__global__ void top_k(const float* x, float* values, int* indices, int n, int m, int k) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    const float* in = x + row * m;
    float last = INFINITY;
    int last_at = -1;
    for (int place = 0; place < k; ++place) {
        int best = -1;
        for (int j = 0; j < m; ++j) {
            const bool left = in[j] < last || (in[j] == last && j > last_at);
            if (left && (best < 0 || in[j] > in[best])) best = j;
        }
        values[row * k + place] = last = in[best];
        indices[row * k + place] = last_at = best;
    }
}
