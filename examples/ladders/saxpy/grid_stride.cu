// As many blocks as fill a GPU, each of which walks through the array.
// climbs from: naive
// grid: min(1056, ceil(n/256))
// block: 256
template <class T>
__global__ void saxpy(const T* x, T* y, int n, T a) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
