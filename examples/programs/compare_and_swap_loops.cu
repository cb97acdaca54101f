// Atomic operations that CUDA does not have, each a loop around atomicCAS that begins with a plain read: a sum, a
// product and a maximum of numbers, a sum modulo a prime, counts in bytes; in global memory, and in shared memory
// within a block.
#include <cmath>
#include <cstdio>

constexpr int kBlocks = 6, kThreads = 96, kPrime = 997;

/// The addition of double of the CUDA C++ Programming Guide, for devices that have none.
__device__ double add_double(double* address, double value) {
    auto* const bits = reinterpret_cast<unsigned long long*>(address);
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

/// Replaces the number by change(number); the number before.
template <class Change>
__device__ float update(float* address, Change change) {
    int* const bits = reinterpret_cast<int*>(address);
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(change(__int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}

/// Reads again in every round.
__device__ void add_modulo(int* sum, int value) {
    int seen;
    do seen = *sum;
    while (atomicCAS(sum, seen, (seen + value) % kPrime) != seen);
}

/// One byte of the four that a word has.
__device__ void count_byte(unsigned char* counter) {
    auto* const word = reinterpret_cast<unsigned*>(reinterpret_cast<size_t>(counter) & ~size_t{3});
    const unsigned shift = reinterpret_cast<size_t>(counter) % 4 * 8, mask = 0xffu << shift;
    unsigned old = *word, assumed;
    do {
        assumed = old;
        const unsigned count = ((assumed & mask) >> shift) + 1;
        old = atomicCAS(word, assumed, (assumed & ~mask) | (count << shift & mask));
    } while (assumed != old);
}

/// Sixteen bits at once.
__device__ void count_short(unsigned short* counter) {
    unsigned short old = *counter, assumed;
    do {
        assumed = old;
        old = atomicCAS(counter, assumed, static_cast<unsigned short>(assumed + 1));
    } while (assumed != old);
}

struct Totals {
    double sum, sum_of_blocks;
    float product, largest;
    int modulo;
    unsigned char bytes[8];
    unsigned short shorts[2];
};

__global__ void total(const float* numbers, Totals* totals) {
    __shared__ double sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float number = numbers[i];
    add_double(&totals->sum, number);
    add_double(&sum, number);
    update(&totals->product, [=](float product) { return number == 0 ? product : -product; });
    update(&totals->largest, [=](float largest) { return fmaxf(largest, number); });
    add_modulo(&totals->modulo, i);
    count_byte(&totals->bytes[i % 7]);
    count_short(&totals->shorts[i % 2]);
    __syncthreads();
    if (threadIdx.x == 0) add_double(&totals->sum_of_blocks, sum);
}

int main() {
    constexpr int kNumbers = kBlocks * kThreads;
    float* numbers;
    Totals* totals;
    cudaMallocManaged(&numbers, kNumbers * sizeof(float));
    cudaMallocManaged(&totals, sizeof(Totals));
    for (int i = 0; i < kNumbers; ++i) numbers[i] = static_cast<float>(i * 37 % 101) / 4;
    *totals = {};
    totals->product = 1;
    total<<<kBlocks, kThreads>>>(numbers, totals);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::printf("sum %.2f and %.2f, product %.0f, largest %.2f, modulo %d\nbytes", totals->sum, totals->sum_of_blocks,
                totals->product, totals->largest, totals->modulo);
    for (const unsigned char count : totals->bytes) std::printf(" %d", count);
    std::printf(", shorts %d %d\n", totals->shorts[0], totals->shorts[1]);
    cudaFree(numbers);
    cudaFree(totals);
}
