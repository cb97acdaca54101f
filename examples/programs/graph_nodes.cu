// A graph that is built node by node: fill, two kernels side by side, one that joins them, a copy, a host function.
#include <cstdio>

__global__ void add(int* out, int value) { out[threadIdx.x] += value + threadIdx.x; }
__global__ void join(const int* a, const int* b, int* out) { out[threadIdx.x] = a[threadIdx.x] * 100 + b[threadIdx.x]; }

static void tell(void* data) { printf("done: %d\n", *static_cast<int*>(data)); }

int main() {
    const int n = 4;
    int *a, *b, *out, host[n] = {};
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);

    cudaMemsetParams zero = {};
    zero.elementSize = 4;
    zero.width = n;
    zero.height = 1;
    cudaGraphNode_t zero_a, zero_b, add_a, add_b, joined, copied, told;
    zero.dst = a;
    cudaGraphAddMemsetNode(&zero_a, graph, nullptr, 0, &zero);
    zero.dst = b;
    zero.value = 7;
    cudaGraphAddMemsetNode(&zero_b, graph, nullptr, 0, &zero);
    int value = 1;
    void* add_arguments[] = {&a, &value};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)add;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(n);
    kernel.kernelParams = add_arguments;
    cudaGraphAddKernelNode(&add_a, graph, &zero_a, 1, &kernel);
    add_arguments[0] = &b;
    value = 2;
    cudaGraphAddKernelNode(&add_b, graph, &zero_b, 1, &kernel);
    void* join_arguments[] = {&a, &b, &out};
    kernel.func = (void*)join;
    kernel.kernelParams = join_arguments;
    const cudaGraphNode_t both[] = {add_a, add_b};
    cudaGraphAddKernelNode(&joined, graph, both, 2, &kernel);
    cudaGraphAddMemcpyNode1D(&copied, graph, &joined, 1, host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaHostNodeParams function = {tell, &host[3]};
    cudaGraphAddHostNode(&told, graph, &copied, 1, &function);

    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    for (int round = 0; round < 2; ++round) cudaGraphLaunch(executable, 0);
    cudaDeviceSynchronize();
    printf("%zu nodes: %d %d %d %d\n", nodes, host[0], host[1], host[2], host[3]);

    int larger = 5;
    void* changed[] = {&a, &larger};
    kernel.func = (void*)add;
    kernel.kernelParams = changed;
    printf("%s\n", cudaGetErrorName(cudaGraphExecKernelNodeSetParams(executable, add_a, &kernel)));
    cudaGraphLaunch(executable, 0);
    cudaDeviceSynchronize();
    printf("%d %d\n", host[0], host[3]);
    cudaGraphExecDestroy(executable);

    // Without the host function, and without an addition, whose number stays what the memset made it.
    cudaGraphDestroyNode(told);
    cudaGraphDestroyNode(add_a);
    cudaGraphGetNodes(graph, nullptr, &nodes);
    host[3] = 0;
    cudaGraphAddDependencies(graph, &zero_a, &joined, 1);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, 0);
    cudaDeviceSynchronize();
    printf("%zu nodes: %d %d\n", nodes, host[0], host[3]);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}
