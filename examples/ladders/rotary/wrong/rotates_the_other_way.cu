// expect: wrong_result
// The signs of the sine are swapped.
// grid: ceil(d*t/128)
// block: 128
__global__ void rotary(const float* x, float* y, int t, int d) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= d * t) return;
    const float angle = i / d * powf(10000.f, -static_cast<float>(i % d) / d);
    y[2 * i] = x[2 * i] * cosf(angle) + x[2 * i + 1] * sinf(angle);
    y[2 * i + 1] = x[2 * i + 1] * cosf(angle) - x[2 * i] * sinf(angle);
}
