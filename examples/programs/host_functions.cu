// Host functions and callbacks in a stream, and an event that another stream waits for.
#include <cstdio>

__global__ void add(int* x, int value) { *x += value; }

static void note(void* data) { printf("function: %d\n", *static_cast<int*>(data)); }
static void CUDART_CB notify(cudaStream_t, cudaError_t status, void* data) {
    printf("callback: %s, %d\n", cudaGetErrorName(status), *static_cast<int*>(data));
}

int main() {
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEvent_t ready;
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    int* x;
    cudaMallocHost(&x, sizeof(int));
    *x = 1;
    add<<<1, 1, 0, first>>>(x, 10);
    cudaLaunchHostFunc(first, note, x);
    cudaEventRecord(ready, first);
    cudaStreamWaitEvent(second, ready, 0);
    add<<<1, 1, 0, second>>>(x, 100);
    cudaStreamAddCallback(second, notify, x, 0);
    cudaStreamSynchronize(second);
    printf("%s, %d\n", cudaGetErrorName(cudaEventQuery(ready)), *x);
    cudaFreeHost(x);
    cudaEventDestroy(ready);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
