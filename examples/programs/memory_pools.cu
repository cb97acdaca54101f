// Memory that is allocated and freed in a stream's order, from the default pool.
#include <cstdio>

__global__ void fill(int* data, int n, int value) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = value + i;
}

int main() {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    unsigned long long keep = ~0ull;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    int sum = 0;
    for (int round = 0; round < 3; ++round) {
        const int n = 100 << round;
        int *data, last = 0;
        cudaMallocAsync(&data, n * sizeof(int), stream);
        fill<<<1, 64, 0, stream>>>(data, n, round);
        cudaMemcpyAsync(&last, data + n - 1, sizeof last, cudaMemcpyDeviceToHost, stream);
        cudaFreeAsync(data, stream);
        cudaStreamSynchronize(stream);
        sum += last;
    }
    printf("%d\n", sum);
    cudaStreamDestroy(stream);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
