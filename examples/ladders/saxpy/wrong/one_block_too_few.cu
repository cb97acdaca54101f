// expect: wrong_result
// The last elements have no thread.
// grid: max(1, floor(n/256))
// block: 256
template <class T>
__global__ void saxpy(const T* x, T* y, int n, T a) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
