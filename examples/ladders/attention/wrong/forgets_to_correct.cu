// expect: wrong_result
// When a higher score comes, what was added up so far keeps its old scale.
// grid: n
// block: 32
// shared: 8*d
__global__ void attention(const float* q, const float* k, const float* v, float* y, int n, int d) {
    extern __shared__ float output[];
    const int i = blockIdx.x, lane = threadIdx.x;
    for (int c = lane; c < d; c += 32) output[c] = 0;
    float top = -INFINITY, sum = 0;
    for (int j = 0; j < n; ++j) {
        float score = 0;
        for (int c = lane; c < d; c += 32) score += q[i * d + c] * k[j * d + c] * rsqrtf(static_cast<float>(d));
        for (int apart = 16; apart > 0; apart /= 2) score += __shfl_xor_sync(~0u, score, apart);
        top = fmaxf(top, score);
        const float share = expf(score - top);
        for (int c = lane; c < d; c += 32) output[c] += share * v[j * d + c];
        sum += share;
    }
    for (int c = lane; c < d; c += 32) y[i * d + c] = output[c] / sum;
}
