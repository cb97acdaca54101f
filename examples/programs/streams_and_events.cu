// Streams that work side by side on parts of an array, pinned memory, events that order them and that time.
#include <cstdio>

__global__ void square(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= data[i];
}

__global__ void total(const int* data, int n, unsigned long long* sum) {
    unsigned long long own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own += data[i];
    atomicAdd(sum, own);
}

int main() {
    const int n = 8192, parts = 4, each = n / parts;
    int *host, *device;
    unsigned long long *sum, result = 0;
    cudaMallocHost(&host, n * sizeof(int));
    cudaMalloc(&device, n * sizeof(int));
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    for (int i = 0; i < n; ++i) host[i] = i % 100;
    cudaStream_t streams[parts], last;
    cudaEvent_t done[parts], begun, ended;
    cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking);
    cudaEventCreate(&begun);
    cudaEventCreate(&ended);
    cudaDeviceSynchronize();
    cudaEventRecord(begun, last);
    for (int p = 0; p < parts; ++p) {
        cudaStreamCreate(&streams[p]);
        cudaEventCreateWithFlags(&done[p], cudaEventDisableTiming);
        cudaMemcpyAsync(device + p * each, host + p * each, each * sizeof(int), cudaMemcpyHostToDevice, streams[p]);
        square<<<each / 256, 256, 0, streams[p]>>>(device + p * each, each);
        cudaEventRecord(done[p], streams[p]);
        cudaStreamWaitEvent(last, done[p], 0);
    }
    total<<<1, 128, 0, last>>>(device, n, sum);
    cudaMemcpyAsync(&result, sum, sizeof result, cudaMemcpyDeviceToHost, last);
    cudaEventRecord(ended, last);
    cudaEventSynchronize(ended);
    float milliseconds = -1;
    cudaEventElapsedTime(&milliseconds, begun, ended);
    unsigned long long expected = 0;
    for (int i = 0; i < n; ++i) expected += static_cast<unsigned long long>(i % 100) * (i % 100);
    printf("%s; a time was taken: %s\n", result == expected ? "right" : "wrong", milliseconds >= 0 ? "yes" : "no");
    for (int p = 0; p < parts; ++p) {
        cudaEventDestroy(done[p]);
        cudaStreamDestroy(streams[p]);
    }
    cudaStreamDestroy(last);
    cudaFreeHost(host);
    cudaFree(device);
    cudaFree(sum);
}
