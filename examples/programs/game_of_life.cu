// Conway's game of life on a torus: a glider walks a cell down and right every four generations.
#include <cstdio>
#include <utility>

constexpr int kSide = 32;

__global__ void generation(const unsigned char* now, unsigned char* next) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) neighbours += now[(y + dy + kSide) % kSide * kSide + (x + dx + kSide) % kSide];
    next[y * kSide + x] = neighbours == 3 || (neighbours == 2 && now[y * kSide + x]);
}

int main() {
    unsigned char *now, *next;
    cudaMallocManaged(&now, kSide * kSide);
    cudaMallocManaged(&next, kSide * kSide);
    cudaMemset(now, 0, kSide * kSide);
    cudaDeviceSynchronize();
    const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (const auto& cell : glider) now[cell[1] * kSide + cell[0]] = 1;
    for (int i = 0; i < 40; ++i) {
        generation<<<dim3(2, 4), dim3(16, 8)>>>(now, next);
        std::swap(now, next);
    }
    cudaDeviceSynchronize();
    for (int y = 9; y < 14; ++y) {
        for (int x = 9; x < 14; ++x) putchar(now[y * kSide + x] ? '#' : '.');
        putchar('\n');
    }
}
