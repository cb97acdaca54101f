// A radix sort of four bits a pass: counts per block, their prefix sum, and places that keep equal keys in order.
#include <algorithm>
#include <cstdio>

constexpr int kBits = 4, kDigits = 1 << kBits, kBlock = 128;

__global__ void count(const unsigned* keys, int* counts, int n, int shift) {
    __shared__ int local[kDigits];
    if (threadIdx.x < kDigits) local[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < n) atomicAdd(&local[keys[i] >> shift & (kDigits - 1)], 1);
    __syncthreads();
    if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

__global__ void place(const unsigned* in, unsigned* out, const int* starts, int n, int shift) {
    __shared__ int digits[kBlock];
    const int i = blockIdx.x * kBlock + threadIdx.x;
    const int digit = i < n ? in[i] >> shift & (kDigits - 1) : kDigits;
    digits[threadIdx.x] = digit;
    __syncthreads();
    if (i >= n) return;
    int before = 0;
    for (int k = 0; k < threadIdx.x; ++k) before += digits[k] == digit;
    out[starts[digit * gridDim.x + blockIdx.x] + before] = in[i];
}

int main() {
    const int n = 3000, blocks = (n + kBlock - 1) / kBlock;
    unsigned *a, *b;
    int* counts;
    cudaMallocManaged(&a, n * sizeof(unsigned));
    cudaMallocManaged(&b, n * sizeof(unsigned));
    cudaMallocManaged(&counts, kDigits * blocks * sizeof(int));
    unsigned long long sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] = i * 2246822519u;
    for (int shift = 0; shift < 32; shift += kBits) {
        count<<<blocks, kBlock>>>(a, counts, n, shift);
        cudaDeviceSynchronize();
        for (int i = 0, next = 0; i < kDigits * blocks; ++i) {
            const int here = counts[i];
            counts[i] = next;
            next += here;
        }
        place<<<blocks, kBlock>>>(a, b, counts, n, shift);
        cudaDeviceSynchronize();
        std::swap(a, b);
    }
    for (int i = 0; i < n; ++i) sum -= a[i];
    printf("%s, %s\n", std::is_sorted(a, a + n) ? "sorted" : "wrong", sum == 0 ? "nothing lost" : "other keys");
}
