// Shows: a kernel of two dimensions that computes without memory; its picture in characters.
#include <cstdio>
#include <vector>

__global__ void mandelbrot(int columns, int rows, int most, int* steps) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const float real = -2.2f + 3.2f * float(column) / float(columns),
                imaginary = -1.2f + 2.4f * float(row) / float(rows);
    float x = 0, y = 0;
    int step = 0;
    for (; step < most && x * x + y * y < 4.0f; ++step) {
        const float next = x * x - y * y + real;
        y = 2.0f * x * y + imaginary;
        x = next;
    }
    steps[row * columns + column] = step;
}

int main() {
    constexpr int columns = 60, rows = 20, most = 100;
    int* steps;
    cudaMalloc(&steps, columns * rows * sizeof(int));
    const dim3 block(16, 16), grid((columns + 15) / 16, (rows + 15) / 16);
    mandelbrot<<<grid, block>>>(columns, rows, most, steps);
    std::vector<int> host(columns * rows);
    cudaMemcpy(host.data(), steps, host.size() * sizeof(int), cudaMemcpyDeviceToHost);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const int step = host[row * columns + column];
            std::putchar(step == most ? '#' : step > 10 ? '+' : step > 4 ? '.' : ' ');
        }
        std::putchar('\n');
    }
    cudaFree(steps);
    return 0;
}
