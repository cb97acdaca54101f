// A block a row of the table: it looks for its tokens and adds in registers, with no atomics and in one order.
// climbs from: naive
// grid: v
// block: 32
__global__ void gather(const int* token, const float* gradient, float* table, int n, int d) {
    for (int c = threadIdx.x; c < d; c += 32) {
        float sum = table[blockIdx.x * d + c];
        for (int i = 0; i < n; ++i)
            if (token[i] == static_cast<int>(blockIdx.x)) sum += gradient[i * d + c];
        table[blockIdx.x * d + c] = sum;
    }
}
