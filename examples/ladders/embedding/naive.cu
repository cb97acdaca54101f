// One thread a token: neighbouring threads read and write a whole row apart.
// grid: ceil(n/64)
// block: 64
template <class T>
__global__ void gather(const int* token, const T* table, T* y, int n, int d) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int c = 0; c < d; ++c) y[i * d + c] = table[token[i] * d + c];
}
