// Every thread makes all fifty steps.
// grid: ceil(n/128)
// block: 128
__global__ void mandelbrot(const double* real, const double* imaginary, int* steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = 0, y = 0;
    int made = 0;
    bool inside = true;
    for (int step = 0; step < 50; ++step) {
        const double next = x * x - y * y + real[i];
        if (inside) {
            y = 2 * x * y + imaginary[i];
            x = next;
        }
        inside = inside && x * x + y * y <= 4;
        made += inside;
    }
    steps[i] = made;
}
