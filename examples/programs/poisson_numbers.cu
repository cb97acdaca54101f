// curandGeneratePoisson: of numbers of a small and of a large mean, that mean and the variance, which is as large.
#include <curand.h>

#include <cmath>
#include <cstdio>

static void show(curandGenerator_t generator, double lambda) {
    const int n = 100000;
    unsigned* numbers;
    cudaMallocManaged(&numbers, n * sizeof(unsigned));
    const int status = curandGeneratePoisson(generator, numbers, n, lambda);
    cudaDeviceSynchronize();
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) sum += numbers[i];
    const double mean = sum / n;
    for (int i = 0; i < n; ++i) squares += (numbers[i] - mean) * (numbers[i] - mean);
    const double variance = squares / n;
    // Five deviations of the mean of n numbers, and of their variance.
    const bool near = std::fabs(mean - lambda) < 5 * std::sqrt(lambda / n) &&
                      std::fabs(variance - lambda) < 5 * std::sqrt((lambda + 2 * lambda * lambda) / n);
    printf("%g: status %d, mean and variance %s\n", lambda, status, near ? "as they should be" : "wrong");
    cudaFree(numbers);
}

int main() {
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    for (const double lambda : {0.25, 1.0, 30.0, 5000.0}) show(generator, lambda);
    printf("of no mean: %d\n", curandGeneratePoisson(generator, nullptr, 0, 0) == CURAND_STATUS_OUT_OF_RANGE);
    curandDestroyGenerator(generator);
}
