// What a program asks before it launches: block sizes, resident blocks, dynamic shared memory, attributes.
#include <cstdio>

__global__ void __launch_bounds__(256) bounded(float* x) { x[threadIdx.x] += 1; }
__global__ void dynamic(int* out, int last) {
    extern __shared__ int memory[];
    memory[last] = 7;
    *out = memory[last];
}

int main() {
    int grid = 0, block = 0, resident = 0;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded, 0, 256);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, bounded, 256, 0);
    printf("blocks of a multiple of 32: %s; several resident: %s\n", block % 32 == 0 ? "yes" : "no",
           resident > 1 ? "yes" : "no");
    int* out;
    cudaMallocManaged(&out, sizeof(int));
    const int bytes = 64 * 1024;
    printf("%s\n", cudaGetErrorName(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)));
    dynamic<<<1, 1, bytes>>>(out, bytes / 4 - 1);
    cudaDeviceSynchronize();
    printf("%s, %d\n", cudaGetErrorName(cudaGetLastError()), *out);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, dynamic);
    printf("%d bytes of dynamic shared memory\n", attributes.maxDynamicSharedSizeBytes);
    int sms = 0, cooperative = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0);
    printf("%s, cooperative launches: %d\n", sms > 0 ? "multiprocessors" : "none", cooperative);
}
