// Kernels of ordinary programs, each beside the serial C++ that a person would write in its place, in one file: one
// compiler builds both with the same options.
#include <cmath>
#include <cstring>

#include "report.hpp"

__global__ void fill(float* out, float value, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = value;
}

__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__global__ void add_unsigned(const float* a, const float* b, float* c, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
SERIAL void add_serial(const float* a, const float* b, float* c, int n) {
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

__global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
SERIAL void saxpy_serial(float a, const float* x, float* y, int n) {
    for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

__global__ void scale(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = 2 * in[y * width + x];
}
SERIAL void scale_serial(const float* in, float* out, int width, int height) {
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) out[y * width + x] = 2 * in[y * width + x];
}

__global__ void stencil(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
        out[y * width + x] =
            0.25f * (in[y * width + x - 1] + in[y * width + x + 1] + in[(y - 1) * width + x] + in[(y + 1) * width + x]);
}
SERIAL void stencil_serial(const float* in, float* out, int width, int height) {
    for (int y = 1; y < height - 1; ++y)
        for (int x = 1; x < width - 1; ++x)
            out[y * width + x] = 0.25f * (in[y * width + x - 1] + in[y * width + x + 1] + in[(y - 1) * width + x] +
                                          in[(y + 1) * width + x]);
}

__host__ __device__ inline int escape(float cx, float cy) {
    float x = 0, y = 0;
    int i = 0;
    while (i < 100 && x * x + y * y < 4) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++i;
    }
    return i;
}
__global__ void mandelbrot(int* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[y * width + x] = escape(-2.0f + 3.0f * x / width, -1.5f + 3.0f * y / height);
}
SERIAL void mandelbrot_serial(int* out, int width, int height) {
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            out[y * width + x] = escape(-2.0f + 3.0f * x / width, -1.5f + 3.0f * y / height);
}

template <int Tile>
__global__ void tiled_product(const float* a, const float* b, float* c, int n) {
    __shared__ float of_a[Tile][Tile], of_b[Tile][Tile];
    const int row = blockIdx.y * Tile + threadIdx.y, column = blockIdx.x * Tile + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < n; tile += Tile) {
        of_a[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
        of_b[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < Tile; ++k) sum += of_a[threadIdx.y][k] * of_b[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
SERIAL void product_serial(const float* a, const float* b, float* c, int n) {
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
            c[row * n + column] = sum;
        }
}
SERIAL void product_by_rows_serial(const float* a, const float* b, float* c, int n) {
    memset(c, 0, sizeof(float) * n * n);
    for (int row = 0; row < n; ++row)
        for (int k = 0; k < n; ++k)
            for (int column = 0; column < n; ++column) c[row * n + column] += a[row * n + k] * b[k * n + column];
}

int main(int argc, char** argv) {
    choose_clock(argc, argv);
    const int n = 100'000'000, width = 8192, height = 8192, side = 1024;
    float *a, *b, *c;
    for (float** array : {&a, &b, &c}) {
        cudaMalloc(array, sizeof(float) * n);
        fill<<<(n + 255) / 256, 256>>>(*array, 1, n);
    }
    const dim3 block(16, 16), grid(width / 16, height / 16), small(side / 16, side / 16);
    report("add", 7, [&] { add<<<(n + 255) / 256, 256>>>(a, b, c, n); });
    report("add_unsigned", 7, [&] { add_unsigned<<<(n + 255) / 256, 256>>>(a, b, c, n); });
    report("add_serial", 7, [&] { add_serial(a, b, c, n); });
    report("saxpy", 7, [&] { saxpy<<<(n + 255) / 256, 256>>>(1, a, c, n); });
    report("saxpy_serial", 7, [&] { saxpy_serial(1, a, c, n); });
    report("scale", 7, [&] { scale<<<grid, block>>>(a, c, width, height); });
    report("scale_serial", 7, [&] { scale_serial(a, c, width, height); });
    report("stencil", 7, [&] { stencil<<<grid, block>>>(a, c, width, height); });
    report("stencil_serial", 7, [&] { stencil_serial(a, c, width, height); });
    report("mandelbrot", 5, [&] { mandelbrot<<<small, block>>>((int*)c, side, side); });
    report("mandelbrot_serial", 5, [&] { mandelbrot_serial((int*)c, side, side); });
    report("product_16", 2, [&] { tiled_product<16><<<small, block>>>(a, b, c, side); });
    report("product_32", 2, [&] { tiled_product<32><<<dim3(side / 32, side / 32), dim3(32, 32)>>>(a, b, c, side); });
    report("product_serial", 2, [&] { product_serial(a, b, c, side); });
    report("product_by_rows_serial", 3, [&] { product_by_rows_serial(a, b, c, side); });
}
