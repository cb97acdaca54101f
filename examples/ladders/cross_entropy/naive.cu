// One thread a row, two passes.
// grid: ceil(n/64)
// block: 64
__global__ void cross_entropy(const float* x, const int* label, float* loss, int n, int m) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    const float* in = x + row * m;
    float top = in[0], sum = 0;
    for (int j = 1; j < m; ++j) top = fmaxf(top, in[j]);
    for (int j = 0; j < m; ++j) sum += expf(in[j] - top);
    loss[row] = top - in[label[row]] + logf(sum);
}
