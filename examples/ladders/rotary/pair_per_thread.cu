// A thread a pair: one vector of two elements is read and written, sine and cosine are computed once.
// climbs from: naive
// grid: ceil(d*t/128)
// block: 128
__global__ void rotary(const float* x, float* y, int t, int d) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= d * t) return;
    float sine, cosine;
    sincosf(i / d * powf(10000.f, -static_cast<float>(i % d) / d), &sine, &cosine);
    const float2 in = reinterpret_cast<const float2*>(x)[i];
    reinterpret_cast<float2*>(y)[i] = make_float2(in.x * cosine - in.y * sine, in.x * sine + in.y * cosine);
}
