// One thread an element: both of a pair compute the angle, and read both elements.
// grid: ceil(2*d*t/128)
// block: 128
__global__ void rotary(const float* x, float* y, int t, int d) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 2 * d * t) return;
    const int position = i / (2 * d), pair = i % (2 * d) / 2;
    const float angle = position * powf(10000.f, -static_cast<float>(pair) / d);
    const float first = x[i & ~1], second = x[i | 1];
    y[i] = i % 2 == 0 ? first * cosf(angle) - second * sinf(angle) : first * sinf(angle) + second * cosf(angle);
}
