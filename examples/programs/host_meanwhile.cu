// A launch returns at once: the host sums its own half of the numbers while the GPU sums the other, and asks an event
// whether that is done.
#include <cstdio>

__global__ void sum_of_half(const unsigned* numbers, int count, unsigned long long* sum) {
    unsigned long long own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) own += numbers[i];
    atomicAdd(sum, own);
}

int main() {
    const int n = 1 << 18, half = n / 2, part = 1024;
    unsigned *numbers, *device;
    unsigned long long *of_gpu, *received;
    cudaMallocHost(&numbers, n * sizeof(unsigned));
    cudaMallocHost(&received, sizeof *received);
    cudaMalloc(&device, half * sizeof(unsigned));
    cudaMalloc(&of_gpu, sizeof *of_gpu);
    for (int i = 0; i < n; ++i) numbers[i] = i % 1000;

    cudaStream_t stream;
    cudaEvent_t done;
    cudaStreamCreate(&stream);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaMemsetAsync(of_gpu, 0, sizeof *of_gpu, stream);
    cudaMemcpyAsync(device, numbers, half * sizeof(unsigned), cudaMemcpyHostToDevice, stream);
    sum_of_half<<<32, 256, 0, stream>>>(device, half, of_gpu);
    cudaMemcpyAsync(received, of_gpu, sizeof *received, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(done, stream);

    unsigned long long of_host = 0;
    int asked = 0;
    for (int begin = half; begin < n; begin += part) {
        for (int i = begin; i < begin + part; ++i) of_host += numbers[i];
        ++asked;
        cudaEventQuery(done);  // cudaErrorNotReady is an answer, not a failure
    }
    cudaEventSynchronize(done);

    unsigned long long expected = 0;
    for (int i = 0; i < n; ++i) expected += i % 1000;
    printf("host %llu, GPU %llu: %s; asked %d times\n", of_host, *received,
           of_host + *received == expected ? "right" : "wrong", asked);
    cudaEventDestroy(done);
    cudaStreamDestroy(stream);
    cudaFree(of_gpu);
    cudaFree(device);
    cudaFreeHost(received);
    cudaFreeHost(numbers);
}
