// expect: wrong_result
// In single precision points near the border leave at another step.
// grid: ceil(n/128)
// block: 128
__global__ void mandelbrot(const double* real, const double* imaginary, int* steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float a = real[i], b = imaginary[i];
    float x = 0, y = 0;
    int made = 0;
    while (made < 50) {
        const float next = x * x - y * y + a;
        y = 2 * x * y + b;
        x = next;
        if (x * x + y * y >= 3.9f) break;
        ++made;
    }
    steps[i] = made;
}
