// A thread that left stops, and a warp stops with its last; what c is stays in registers.
// climbs from: naive
// grid: ceil(n/128)
// block: 128
__global__ void mandelbrot(const double* real, const double* imaginary, int* steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double a = real[i], b = imaginary[i];
    double x = 0, y = 0;
    int made = 0;
    while (made < 50) {
        const double next = x * x - y * y + a;
        y = 2 * x * y + b;
        x = next;
        if (x * x + y * y > 4) break;
        ++made;
    }
    steps[i] = made;
}
