// A memory pool of the program's own: what is in use of it, its highest, and memory that comes from it.
#include <cstdio>

__global__ void fill(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}

static unsigned long long bytes(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    unsigned long long value = 0;
    cudaMemPoolGetAttribute(pool, attribute, &value);
    return value;
}

int main() {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = 0;
    cudaMemPool_t pool;
    cudaMemPoolCreate(&pool, &properties);
    unsigned long long keep = 1 << 20;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    int *a, *b, last = 0;
    cudaMallocFromPoolAsync(&a, 4096, pool, stream);
    cudaDeviceSetMemPool(0, pool);
    cudaMallocAsync(&b, 1024, stream);
    fill<<<4, 64, 0, stream>>>(b, 256);
    cudaMemcpyAsync(&last, b + 255, sizeof last, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("last %d, %llu bytes in use\n", last, bytes(pool, cudaMemPoolAttrUsedMemCurrent));
    cudaFreeAsync(a, stream);
    cudaStreamSynchronize(stream);
    printf("%llu bytes in use, %llu at most\n", bytes(pool, cudaMemPoolAttrUsedMemCurrent),
           bytes(pool, cudaMemPoolAttrUsedMemHigh));
    cudaFreeAsync(b, stream);
    cudaStreamSynchronize(stream);
    printf("%s\n", cudaGetErrorName(cudaMemPoolDestroy(pool)));
}
