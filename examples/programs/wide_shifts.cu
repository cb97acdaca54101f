// Shifts by the width of a word or more give 0 in a kernel, or the sign: bits are put together across words without a
// question whether there are any left.
#include <cstdio>

// The bits of `value`, `width` of them, put into the words from bit `at` on, the highest bit of a word first.
__device__ void put(unsigned* words, unsigned at, unsigned value, unsigned width) {
    const unsigned word = at / 32, first = at % 32;
    const unsigned left = value << (32 - width);  // nothing for a width of 0
    atomicOr(&words[word], left >> first);
    atomicOr(&words[word + 1], left << (32 - first));  // nothing where all of it had room
}

__global__ void pack(const unsigned* values, const unsigned* widths, const unsigned* places, unsigned* words) {
    put(words, places[threadIdx.x], values[threadIdx.x], widths[threadIdx.x]);
}

__global__ void by_all_amounts(int* shifted) {
    const int by = threadIdx.x * 16;
    const long long wide = -5;
    unsigned in_place = 0xffffffffu;
    in_place >>= by;
    shifted[threadIdx.x * 5] = 1 << by;
    shifted[threadIdx.x * 5 + 1] = -5 >> by;
    shifted[threadIdx.x * 5 + 2] = static_cast<int>(in_place);
    shifted[threadIdx.x * 5 + 3] = static_cast<int>(wide >> by);
    shifted[threadIdx.x * 5 + 4] = static_cast<int>(1ull << by >> 16);
}

int main() {
    const int count = 64;
    unsigned *values, *widths, *places, *words;
    cudaMallocManaged(&values, count * sizeof(unsigned));
    cudaMallocManaged(&widths, count * sizeof(unsigned));
    cudaMallocManaged(&places, count * sizeof(unsigned));
    cudaMallocManaged(&words, 70 * sizeof(unsigned));
    unsigned end = 0;
    for (int i = 0; i < count; ++i) {
        widths[i] = i * 7 % 33;
        values[i] = static_cast<unsigned>((1ull << widths[i]) - 1) & 2654435769u * (i + 1);
        places[i] = end;
        end += widths[i];
    }
    for (int i = 0; i < 70; ++i) words[i] = 0;
    pack<<<1, count>>>(values, widths, places, words);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < count; ++i)
        for (unsigned bit = 0; bit < widths[i]; ++bit) {
            const unsigned at = places[i] + bit;
            wrong += (words[at / 32] >> (31 - at % 32) & 1) != (values[i] >> (widths[i] - 1 - bit) & 1);
        }
    printf("%u bits packed, %d of them wrong\n", end, wrong);

    int* shifted;
    cudaMallocManaged(&shifted, 5 * 5 * sizeof(int));
    by_all_amounts<<<1, 5>>>(shifted);
    cudaDeviceSynchronize();
    for (int i = 0; i < 5; ++i)
        printf("by %d: %d %d %d %d %d\n", i * 16, shifted[i * 5], shifted[i * 5 + 1], shifted[i * 5 + 2],
               shifted[i * 5 + 3], shifted[i * 5 + 4]);
}
