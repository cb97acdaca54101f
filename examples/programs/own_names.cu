// gridDim and blockDim are variables of a kernel; elsewhere a program may call its own by these names.
#include <cstdio>

struct Shape {
    dim3 gridDim, blockDim;
    unsigned threads() const { return gridDim.x * blockDim.x; }
};

__global__ void fill(unsigned* out, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = gridDim.x * 1000 + blockDim.x;
}

__device__ unsigned volume(dim3 extent) { return extent.x * extent.y * extent.z; }

__global__ void volumes(unsigned* out) {
    out[0] = volume(blockDim);
    out[1] = volume(dim3(gridDim));
    const uint3 thread = threadIdx;
    out[2] = thread.x + int(blockIdx.y);
}

static void launch(unsigned* out, dim3 gridDim, const dim3& blockDim) {
    fill<<<gridDim, blockDim>>>(out, gridDim.x * blockDim.x);
}

template <unsigned blockDim>
void launch_by(unsigned* out, unsigned n) {
    const unsigned gridDim = (n + blockDim - 1) / blockDim;
    fill<<<gridDim, blockDim>>>(out, n);
}

template <int blockDim, class T = unsigned>
__global__ void write_width(T* out) {
    *out = blockDim;
}

int main() {
    const int n = 100;
    dim3 blockDim(32), gridDim((n + blockDim.x - 1) / blockDim.x);
    unsigned* out;
    cudaMallocManaged(&out, 256 * sizeof(unsigned));
    fill<<<gridDim, blockDim>>>(out, n);
    cudaDeviceSynchronize();
    printf("%u %u\n", out[0], out[n - 1]);
    Shape shape{dim3(3), dim3(64)};
    launch(out, shape.gridDim, shape.blockDim);
    cudaDeviceSynchronize();
    printf("%u of %u threads\n", out[0], shape.threads());
    volumes<<<dim3(1, 1, 1), dim3(1, 1, 1)>>>(out);
    cudaDeviceSynchronize();
    printf("%u %u %u\n", out[0], out[1], out[2]);
    launch_by<16>(out, n);
    cudaDeviceSynchronize();
    printf("%u\n", out[0]);
    write_width<5><<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%u\n", out[0]);
    cudaFree(out);
}
