// expect: wrong_result
// The sign of the angle is the inverse transform's.
// grid: n
// block: 128
__global__ void dft(const float* x, float* y) {
    const float* in = x + blockIdx.x * 256;
    float real = 0, imaginary = 0;
    for (int j = 0; j < 128; ++j) {
        float sine, cosine;
        sincospif(2.f * (threadIdx.x * j % 128) / 128, &sine, &cosine);
        real += in[2 * j] * cosine - in[2 * j + 1] * sine;
        imaginary += in[2 * j] * sine + in[2 * j + 1] * cosine;
    }
    y[blockIdx.x * 256 + 2 * threadIdx.x] = real;
    y[blockIdx.x * 256 + 2 * threadIdx.x + 1] = imaginary;
}
