// cuRAND's generators in a kernel give the numbers that they give on a GPU.
#include <curand_kernel.h>

#include <cstdio>

template <class State>
__global__ void draw(unsigned* numbers, float* uniform, unsigned long long seed, unsigned long long offset) {
    State state;
    curand_init(seed, threadIdx.x, offset, &state);
    numbers[threadIdx.x] = curand(&state);
    uniform[threadIdx.x] = curand_uniform(&state);
}

template <class State>
static void show(const char* name) {
    unsigned* numbers;
    float* uniform;
    cudaMallocManaged(&numbers, 3 * sizeof(unsigned));
    cudaMallocManaged(&uniform, 3 * sizeof(float));
    draw<State><<<1, 3>>>(numbers, uniform, 1234, 0);
    cudaDeviceSynchronize();
    printf("%s: %u %u %u, %.7f %.7f %.7f\n", name, numbers[0], numbers[1], numbers[2], uniform[0], uniform[1],
           uniform[2]);
    draw<State><<<1, 3>>>(numbers, uniform, 1234, 1000000007);
    cudaDeviceSynchronize();
    printf("  a billion later: %u %u %u\n", numbers[0], numbers[1], numbers[2]);
}

__global__ void throw_darts(unsigned* hits, int tries) {
    curandStatePhilox4_32_10_t state;
    curand_init(7, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
    unsigned inside = 0;
    for (int i = 0; i < tries; ++i) {
        const float x = curand_uniform(&state), y = curand_uniform(&state);
        inside += x * x + y * y <= 1.0f;
    }
    atomicAdd(hits, inside);
}

int main() {
    show<curandStateXORWOW_t>("XORWOW");
    show<curandStateMRG32k3a_t>("MRG32k3a");
    show<curandStatePhilox4_32_10_t>("Philox");
    unsigned* hits;
    cudaMallocManaged(&hits, sizeof(unsigned));
    *hits = 0;
    throw_darts<<<8, 64>>>(hits, 200);
    cudaDeviceSynchronize();
    printf("pi is about %.2f\n", 4.0 * *hits / (8 * 64 * 200));
}
