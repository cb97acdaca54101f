// A hash table with open addressing that threads fill together: atomicCAS takes a slot, atomicAdd counts in it.
#include <cstdio>
#include <map>

constexpr unsigned kSlots = 1024, kEmpty = 0xffffffffu;

__device__ unsigned slot_of(unsigned key) { return key * 2654435761u >> 22; }

__global__ void count(const unsigned* keys, int n, unsigned* table, unsigned* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (unsigned slot = slot_of(keys[i]);; slot = (slot + 1) % kSlots) {
        const unsigned found = atomicCAS(&table[slot], kEmpty, keys[i]);
        if (found != kEmpty && found != keys[i]) continue;
        atomicAdd(&counts[slot], 1u);
        return;
    }
}

int main() {
    const int n = 5000;
    unsigned *keys, *table, *counts;
    cudaMallocManaged(&keys, n * sizeof(unsigned));
    cudaMallocManaged(&table, kSlots * sizeof(unsigned));
    cudaMallocManaged(&counts, kSlots * sizeof(unsigned));
    std::map<unsigned, unsigned> expected;
    for (int i = 0; i < n; ++i) ++expected[keys[i] = static_cast<unsigned>(i) * i % 997];
    for (unsigned i = 0; i < kSlots; ++i) {
        table[i] = kEmpty;
        counts[i] = 0;
    }
    count<<<(n + 127) / 128, 128>>>(keys, n, table, counts);
    cudaDeviceSynchronize();
    int wrong = 0;
    unsigned distinct = 0;
    for (unsigned i = 0; i < kSlots; ++i) {
        if (table[i] == kEmpty) continue;
        ++distinct;
        wrong += expected[table[i]] != counts[i];
    }
    printf("%u of %zu keys, %d wrong\n", distinct, expected.size(), wrong);
}
