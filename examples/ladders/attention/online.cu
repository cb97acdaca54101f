// The running maximum and sum are corrected as scores come: none of them goes to memory.
// climbs from: naive
// grid: n
// block: 32
// shared: 8*d
__global__ void attention(const float* q, const float* k, const float* v, float* y, int n, int d) {
    extern __shared__ float held[];  // the query, then what the output is so far
    float* const query = held;
    float* const output = held + d;
    const int i = blockIdx.x, lane = threadIdx.x;
    for (int c = lane; c < d; c += 32) {
        query[c] = q[i * d + c] * rsqrtf(static_cast<float>(d));
        output[c] = 0;
    }
    __syncwarp();
    float top = -INFINITY, sum = 0;
    for (int j = 0; j < n; ++j) {
        float score = 0;
        for (int c = lane; c < d; c += 32) score += query[c] * k[j * d + c];
        for (int apart = 16; apart > 0; apart /= 2) score += __shfl_xor_sync(~0u, score, apart);
        const float higher = fmaxf(top, score), old = expf(top - higher), share = expf(score - higher);
        for (int c = lane; c < d; c += 32) output[c] = output[c] * old + share * v[j * d + c];
        sum = sum * old + share;
        top = higher;
    }
    for (int c = lane; c < d; c += 32) y[i * d + c] = output[c] / sum;
}
