// Jacobi's iteration for heat in a plate: the largest change of a step, by atomicMax on a float's bits, says when to
// stop.
#include <cstdio>
#include <utility>

constexpr int kSide = 34;

__global__ void step(const float* now, float* next, int* change) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    const int i = y * kSide + x;
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - kSide] + now[i + kSide]);
    // Floats that are not negative are ordered as their bits are.
    atomicMax(change, __float_as_int(fabsf(next[i] - now[i])));
}

int main() {
    float *now, *next;
    int* change;
    cudaMallocManaged(&now, kSide * kSide * sizeof(float));
    cudaMallocManaged(&next, kSide * kSide * sizeof(float));
    cudaMallocManaged(&change, sizeof(int));
    for (int i = 0; i < kSide * kSide; ++i) now[i] = next[i] = i < kSide ? 100.0f : 0.0f;
    int steps = 0;
    for (float largest = 1; largest > 0.05f; ++steps) {
        *change = 0;
        step<<<dim3(2, 4), dim3(16, 8)>>>(now, next, change);
        cudaDeviceSynchronize();
        largest = __builtin_bit_cast(float, *change);
        std::swap(now, next);
    }
    const float middle = now[kSide / 2 * kSide + kSide / 2], below = now[1 * kSide + kSide / 2];
    printf("settled: %s; cooler inside: %s\n", steps > 50 && steps < 1000 ? "yes" : "no",
           middle > 5 && middle < below && below < 100 ? "yes" : "no");
}
