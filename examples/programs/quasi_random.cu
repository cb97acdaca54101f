// Sobol's quasi-random numbers, by cuRAND's host functions and in a kernel: points that fill a square evenly. Their
// mean comes closer to pi than as many random ones do.
#include <curand_kernel.h>

#include <cstdio>

// Each dimension of a point has a sequence of its own; each thread begins at its share of them.
__global__ void darts(curandDirectionVectors32_t* directions, int each, unsigned* inside) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    curandStateSobol32_t x, y;
    curand_init(directions[0], thread * each, &x);
    curand_init(directions[1], thread * each, &y);
    unsigned hits = 0;
    for (int i = 0; i < each; ++i) {
        const float u = curand_uniform(&x), v = curand_uniform(&y);
        hits += u * u + v * v <= 1.0f;
    }
    atomicAdd(inside, hits);
}

__global__ void scrambled(curandDirectionVectors32_t* directions, unsigned by, unsigned* numbers) {
    curandStateScrambledSobol32_t state;
    curand_init(directions[2], by, threadIdx.x, &state);
    numbers[threadIdx.x] = curand(&state);
}

__global__ void skipping(curandDirectionVectors64_t* directions, unsigned long long* numbers) {
    curandStateSobol64_t state;
    curand_init(directions[threadIdx.x], 3ull, &state);
    skipahead(1000000ull, &state);
    numbers[threadIdx.x] = curand(&state);
}

int main() {
    const int points = 8, dimensions = 3;
    unsigned* numbers;
    cudaMallocManaged(&numbers, points * dimensions * sizeof(unsigned));
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32);
    curandSetQuasiRandomGeneratorDimensions(generator, dimensions);
    curandGenerate(generator, numbers, points * dimensions);
    cudaDeviceSynchronize();
    for (int d = 0; d < dimensions; ++d) {
        printf("dimension %d:", d);
        for (int i = 0; i < points; ++i) printf(" %08x", numbers[d * points + i]);
        printf("\n");
    }
    printf("%d points in 3 dimensions are %s\n", points - 1,
           curandGenerate(generator, numbers, points * dimensions - 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE ? "refused"
                                                                                                            : "taken");
    curandDestroyGenerator(generator);

    double* many;
    const int far = 1000;
    cudaMallocManaged(&many, far * sizeof(double));
    curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL64);
    curandSetQuasiRandomGeneratorDimensions(generator, far);
    curandSetGeneratorOffset(generator, 12345);
    curandGenerateUniformDouble(generator, many, far);
    cudaDeviceSynchronize();
    printf("point 12345: %.9f %.9f %.9f %.9f\n", many[0], many[1], many[99], many[far - 1]);
    curandGenerateNormalDouble(generator, many, far, 0, 1);
    cudaDeviceSynchronize();
    printf("and normal: %.5f %.5f %.5f %.5f\n", many[0], many[1], many[99], many[far - 1]);
    curandDestroyGenerator(generator);

    curandDirectionVectors32_t *of_host, *directions;
    curandGetDirectionVectors32(&of_host, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    cudaMallocManaged(&directions, 3 * sizeof(curandDirectionVectors32_t));
    cudaMemcpy(directions, of_host, 3 * sizeof(curandDirectionVectors32_t), cudaMemcpyDefault);
    unsigned* inside;
    cudaMallocManaged(&inside, sizeof(unsigned));
    *inside = 0;
    darts<<<16, 64>>>(directions, 64, inside);
    scrambled<<<1, 4>>>(directions, 0x12345678u, numbers);
    cudaDeviceSynchronize();
    printf("pi is about %.4f\n", *inside * 4.0 / (16 * 64 * 64));
    printf("scrambled: %08x %08x %08x %08x\n", numbers[0], numbers[1], numbers[2], numbers[3]);

    curandDirectionVectors64_t *of_host_64, *directions_64;
    curandGetDirectionVectors64(&of_host_64, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
    cudaMallocManaged(&directions_64, 2 * sizeof(curandDirectionVectors64_t));
    cudaMemcpy(directions_64, of_host_64, 2 * sizeof(curandDirectionVectors64_t), cudaMemcpyDefault);
    unsigned long long* wide;
    cudaMallocManaged(&wide, 2 * sizeof(unsigned long long));
    skipping<<<1, 2>>>(directions_64, wide);
    cudaDeviceSynchronize();
    printf("a million further: %016llx %016llx\n", wide[0], wide[1]);
}
