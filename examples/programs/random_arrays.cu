// cuRAND's host functions fill an array in cuRAND's own order: these are the numbers that an H200 printed.
#include <curand.h>

#include <cstdio>

static void show(const char* name, curandRngType_t type) {
    const size_t n = 163840;
    unsigned* numbers;
    cudaMallocManaged(&numbers, n * sizeof(unsigned));
    curandGenerator_t generator;
    curandCreateGenerator(&generator, type);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    curandGenerate(generator, numbers, n);
    cudaDeviceSynchronize();
    printf("%s: %u", name, numbers[0]);
    curandGenerate(generator, numbers, n);
    cudaDeviceSynchronize();
    printf(", then %u %u %u %u\n", numbers[0], numbers[1], numbers[4096], numbers[n - 1]);
    curandDestroyGenerator(generator);
    cudaFree(numbers);
}

int main() {
    show("XORWOW", CURAND_RNG_PSEUDO_XORWOW);
    show("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A);
    show("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
    const int n = 10000;
    double* normal;
    cudaMallocManaged(&normal, n * sizeof(double));
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    curandGenerateNormalDouble(generator, normal, n, 0, 1);
    cudaDeviceSynchronize();
    printf("normal: %.6f %.6f %.6f %.6f\n", normal[0], normal[1], normal[2], normal[8192]);
}
