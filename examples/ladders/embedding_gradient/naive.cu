// One atomic addition an element.
// grid: ceil(n*d/128)
// block: 128
__global__ void scatter(const int* token, const float* gradient, float* table, int n, int d) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * d) atomicAdd(&table[token[i / d] * d + i % d], gradient[i]);
}
