// One thread an element.
// grid: ceil(n/256)
// block: 256
template <class T>
__global__ void saxpy(const T* x, T* y, int n, T a) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
