// Kernels of ordinary programs, each beside the serial C++ that a person would write in its place, in one file: one
// compiler builds both with the same options. What two cores of a machine can gain is shown by the same serial code on
// two threads of C++, each with half of the work.
#include <cmath>
#include <cstring>
#include <thread>

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

__global__ void saxpy_strides(float a, const float* x, float* y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

__global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i]], 1);
}
__global__ void histogram_strides(const unsigned char* in, unsigned* bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1);
}
__global__ void histogram_shared(const unsigned char* in, unsigned* bins, int n) {
    __shared__ unsigned of_block[256];
    of_block[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&of_block[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], of_block[threadIdx.x]);
}
SERIAL void histogram_serial(const unsigned char* in, unsigned* bins, int n) {
    for (int i = 0; i < n; ++i) ++bins[in[i]];
}

// One elementary function each, and several in one kernel.
__global__ void of_sinf(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sinf(in[i]);
}
SERIAL void of_sinf_serial(const float* in, float* out, int n) {
    for (int i = 0; i < n; ++i) out[i] = sinf(in[i]);
}
__global__ void of_tanf(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tanf(in[i]);
}
SERIAL void of_tanf_serial(const float* in, float* out, int n) {
    for (int i = 0; i < n; ++i) out[i] = tanf(in[i]);
}
__global__ void of_expf(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = expf(in[i]);
}
SERIAL void of_expf_serial(const float* in, float* out, int n) {
    for (int i = 0; i < n; ++i) out[i] = expf(in[i]);
}
__global__ void of_logf(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = logf(in[i]);
}
SERIAL void of_logf_serial(const float* in, float* out, int n) {
    for (int i = 0; i < n; ++i) out[i] = logf(in[i]);
}
__global__ void of_tanhf(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tanhf(in[i]);
}
SERIAL void of_tanhf_serial(const float* in, float* out, int n) {
    for (int i = 0; i < n; ++i) out[i] = tanhf(in[i]);
}
__global__ void of_powf(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = powf(in[i], 2.2f);
}
SERIAL void of_powf_serial(const float* in, float* out, int n) {
    for (int i = 0; i < n; ++i) out[i] = powf(in[i], 2.2f);
}
__global__ void of_several(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = expf(-in[i]) * cosf(in[i]) + logf(1 + in[i]) * tanhf(in[i]);
}
SERIAL void of_several_serial(const float* in, float* out, int n) {
    for (int i = 0; i < n; ++i) out[i] = expf(-in[i]) * cosf(in[i]) + logf(1 + in[i]) * tanhf(in[i]);
}

// Where each value waits for the last one, nothing becomes a vector.
__global__ void chain_sinf(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    for (int k = 0; k < 32; ++k) x = sinf(x + 0.3f);
    out[i] = x;
}
SERIAL void chain_sinf_serial(const float* in, float* out, int n) {
    for (int i = 0; i < n; ++i) {
        float x = in[i];
        for (int k = 0; k < 32; ++k) x = sinf(x + 0.3f);
        out[i] = x;
    }
}
__global__ void chain_expf(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    for (int k = 0; k < 32; ++k) x = expf(-x);
    out[i] = x;
}
SERIAL void chain_expf_serial(const float* in, float* out, int n) {
    for (int i = 0; i < n; ++i) {
        float x = in[i];
        for (int k = 0; k < 32; ++k) x = expf(-x);
        out[i] = x;
    }
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
SERIAL void mandelbrot_serial(int* out, int width, int height, int begin, int end) {
    for (int y = begin; y < end; ++y)
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

/// Halves of the work on two threads, by the clock.
template <class First, class Second>
static void report_two_threads(const char* name, const First& first, const Second& second) {
    if (clock_of_run != CLOCK_MONOTONIC) return;
    report(name, 7, [&] {
        std::thread other(second);
        first();
        other.join();
    });
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
    report_two_threads(
        "add_two_threads", [&] { add_serial(a, b, c, n / 2); },
        [&] { add_serial(a + n / 2, b + n / 2, c + n / 2, n - n / 2); });
    report("saxpy", 7, [&] { saxpy<<<(n + 255) / 256, 256>>>(1, a, c, n); });
    report("saxpy_serial", 7, [&] { saxpy_serial(1, a, c, n); });
    report_two_threads(
        "saxpy_two_threads", [&] { saxpy_serial(1, a, c, n / 2); },
        [&] { saxpy_serial(1, a + n / 2, c + n / 2, n - n / 2); });
    report("saxpy_strides", 7, [&] { saxpy_strides<<<4096, 256>>>(1, a, c, n); });
    report("scale", 7, [&] { scale<<<grid, block>>>(a, c, width, height); });
    report("scale_serial", 7, [&] { scale_serial(a, c, width, height); });
    const size_t half = (size_t)width * (height / 2);
    report_two_threads(
        "scale_two_threads", [&] { scale_serial(a, c, width, height / 2); },
        [&] { scale_serial(a + half, c + half, width, height / 2); });
    report("stencil", 7, [&] { stencil<<<grid, block>>>(a, c, width, height); });
    report("stencil_serial", 7, [&] { stencil_serial(a, c, width, height); });
    report_two_threads(
        "stencil_two_threads", [&] { stencil_serial(a, c, width, height / 2 + 1); },
        [&] { stencil_serial(a + half - width, c + half - width, width, height / 2 + 1); });
    report("mandelbrot", 5, [&] { mandelbrot<<<small, block>>>((int*)c, side, side); });
    report("mandelbrot_serial", 5, [&] { mandelbrot_serial((int*)c, side, side, 0, side); });
    report_two_threads(
        "mandelbrot_two_threads", [&] { mandelbrot_serial((int*)c, side, side, 0, side / 2); },
        [&] { mandelbrot_serial((int*)c, side, side, side / 2, side); });
    report("product_16", 2, [&] { tiled_product<16><<<small, block>>>(a, b, c, side); });
    report("product_32", 2, [&] { tiled_product<32><<<dim3(side / 32, side / 32), dim3(32, 32)>>>(a, b, c, side); });
    report("product_serial", 2, [&] { product_serial(a, b, c, side); });
    report("product_by_rows_serial", 3, [&] { product_by_rows_serial(a, b, c, side); });

    const int some = 1 << 24;
    unsigned char* bytes;
    unsigned* bins;
    cudaMallocManaged(&bytes, some);
    cudaMallocManaged(&bins, 256 * sizeof(unsigned));
    unsigned random = 1;
    for (int i = 0; i < some; ++i) bytes[i] = (random = random * 1664525 + 1013904223) >> 24;
    report("histogram", 5, [&] { histogram<<<some / 256, 256>>>(bytes, bins, some); });
    report("histogram_strides", 5, [&] { histogram_strides<<<512, 256>>>(bytes, bins, some); });
    report("histogram_shared", 5, [&] { histogram_shared<<<512, 256>>>(bytes, bins, some); });
    report("histogram_serial", 5, [&] { histogram_serial(bytes, bins, some); });
    for (int i = 0; i < some; ++i) a[i] = 1e-6f * i;
    report("of_sinf", 5, [&] { of_sinf<<<some / 256, 256>>>(a, b, some); });
    report("of_sinf_serial", 5, [&] { of_sinf_serial(a, b, some); });
    report("of_tanf", 5, [&] { of_tanf<<<some / 256, 256>>>(a, b, some); });
    report("of_tanf_serial", 5, [&] { of_tanf_serial(a, b, some); });
    report("of_expf", 5, [&] { of_expf<<<some / 256, 256>>>(a, b, some); });
    report("of_expf_serial", 5, [&] { of_expf_serial(a, b, some); });
    report("of_logf", 5, [&] { of_logf<<<some / 256, 256>>>(a, b, some); });
    report("of_logf_serial", 5, [&] { of_logf_serial(a, b, some); });
    report("of_tanhf", 5, [&] { of_tanhf<<<some / 256, 256>>>(a, b, some); });
    report("of_tanhf_serial", 5, [&] { of_tanhf_serial(a, b, some); });
    report("of_powf", 5, [&] { of_powf<<<some / 256, 256>>>(a, b, some); });
    report("of_powf_serial", 5, [&] { of_powf_serial(a, b, some); });
    report("of_several", 5, [&] { of_several<<<some / 256, 256>>>(a, b, some); });
    report("of_several_serial", 5, [&] { of_several_serial(a, b, some); });
    report("chain_sinf", 3, [&] { chain_sinf<<<some / 8192, 256>>>(a, b, some / 32); });
    report("chain_sinf_serial", 3, [&] { chain_sinf_serial(a, b, some / 32); });
    report("chain_expf", 3, [&] { chain_expf<<<some / 8192, 256>>>(a, b, some / 32); });
    report("chain_expf_serial", 3, [&] { chain_expf_serial(a, b, some / 32); });
}
