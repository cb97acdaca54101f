// One thread an element: a warp copies a row's neighbours.
// climbs from: naive
// grid: ceil(n*d/128)
// block: 128
template <class T>
__global__ void gather(const int* token, const T* table, T* y, int n, int d) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * d) y[i] = table[token[i / d] * d + i % d];
}
