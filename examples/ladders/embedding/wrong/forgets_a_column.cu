// expect: left_unwritten
// grid: ceil(n/64)
// block: 64
template <class T>
__global__ void gather(const int* token, const T* table, T* y, int n, int d) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int c = 0; c < d - 1; ++c) y[i * d + c] = table[token[i] * d + c];
}
