// Three kernels: every score is written to memory, and read again.
// workspace: 4*n*n
__global__ void scores_of(const float* q, const float* k, float* scores, int n, int d) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j >= n) return;
    float sum = 0;
    for (int c = 0; c < d; ++c) sum += q[i * d + c] * k[j * d + c];
    scores[i * n + j] = sum * rsqrtf(static_cast<float>(d));
}

__global__ void shares_of(float* scores, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float top = scores[i * n], sum = 0;
    for (int j = 1; j < n; ++j) top = fmaxf(top, scores[i * n + j]);
    for (int j = 0; j < n; ++j) sum += expf(scores[i * n + j] - top);
    for (int j = 0; j < n; ++j) scores[i * n + j] = expf(scores[i * n + j] - top) / sum;
}

__global__ void weighted(const float* shares, const float* v, float* y, int n, int d) {
    const int c = threadIdx.x, i = blockIdx.x;
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += shares[i * n + j] * v[j * d + c];
    y[i * d + c] = sum;
}

void launch(const float* q, const float* k, const float* v, float* y, float* workspace, int n, int d,
            cudaStream_t stream) {
    scores_of<<<dim3((n + 63) / 64, n), 64, 0, stream>>>(q, k, workspace, n, d);
    shares_of<<<(n + 63) / 64, 64, 0, stream>>>(workspace, n);
    weighted<<<n, d, 0, stream>>>(workspace, v, y, n, d);
}
