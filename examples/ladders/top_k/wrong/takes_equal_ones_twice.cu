// expect: wrong_result
// What was taken is told by its value alone: of equal ones the others are left out.
// grid: ceil(n/64)
// block: 64
__global__ void top_k(const float* x, float* values, int* indices, int n, int m, int k) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    const float* in = x + row * m;
    float last = INFINITY;
    for (int place = 0; place < k; ++place) {
        int best = 0;
        float highest = -INFINITY;
        for (int j = 0; j < m; ++j)
            if (in[j] < last && in[j] > highest) highest = in[best = j];
        values[row * k + place] = last = in[best];
        indices[row * k + place] = best;
    }
}
