// Seven rounds of butterflies in shared memory (Cooley and Tukey 1965): 7 products a number instead of 128.
// climbs from: naive
// grid: n
// block: 64
__global__ void fft(const float* x, float* y) {
    __shared__ float2 held[128];
    const float2* const in = reinterpret_cast<const float2*>(x) + blockIdx.x * 128;
    for (int i = threadIdx.x; i < 128; i += 64) held[__brev(i) >> 25] = in[i];
    for (int half = 1; half < 128; half *= 2) {
        __syncthreads();
        const int within = threadIdx.x % half, i = 2 * threadIdx.x - within;
        float sine, cosine;
        sincospif(-static_cast<float>(within) / half, &sine, &cosine);
        const float2 a = held[i], b = held[i + half];
        const float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
        held[i] = make_float2(a.x + turned.x, a.y + turned.y);
        held[i + half] = make_float2(a.x - turned.x, a.y - turned.y);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 128; i += 64) reinterpret_cast<float2*>(y)[blockIdx.x * 128 + i] = held[i];
}
