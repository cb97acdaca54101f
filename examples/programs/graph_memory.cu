// Memory of a graph: nodes that allocate and free it, the same by capturing cudaMallocAsync, launched again and again.
#include <cstdio>

__global__ void square(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x]; }

__global__ void sum(const int* in, int* total) { atomicAdd(total, in[threadIdx.x]); }

int main() {
    int *in, *total;
    cudaMallocManaged(&in, 32 * sizeof(int));
    cudaMallocManaged(&total, sizeof(int));
    for (int i = 0; i < 32; ++i) in[i] = i;
    *total = 0;

    // Node by node.
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 32 * sizeof(int);
    cudaGraphNode_t allocate, first, second, release;
    cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &memory);
    int* squares = static_cast<int*>(memory.dptr);
    void* to_square[] = {&in, &squares};
    void* to_sum[] = {&squares, &total};
    cudaKernelNodeParams kernel = {};
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.func = (void*)square;
    kernel.kernelParams = to_square;
    cudaGraphAddKernelNode(&first, graph, &allocate, 1, &kernel);
    kernel.func = (void*)sum;
    kernel.kernelParams = to_sum;
    cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel);
    cudaGraphAddMemFreeNode(&release, graph, &second, 1, squares);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, 0);
    cudaDeviceSynchronize();
    printf("three times: %d\n", *total);

    // Captured.
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    int* captured;
    cudaMallocAsync(&captured, 32 * sizeof(int), stream);
    square<<<1, 32, 0, stream>>>(in, captured);
    sum<<<1, 32, 0, stream>>>(captured, total);
    cudaFreeAsync(captured, stream);
    cudaGraph_t recorded;
    cudaStreamEndCapture(stream, &recorded);
    cudaGraphExec_t again;
    cudaGraphInstantiate(&again, recorded, 0);
    cudaGraphLaunch(again, stream);
    cudaGraphLaunch(again, stream);
    cudaStreamSynchronize(stream);
    printf("five times: %d\n", *total);
    unsigned long long used = 1;
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));  // a GPU keeps the graphs' memory until it is trimmed
}
