// malloc and free, new and delete in a kernel: each thread keeps a list of its own.
#include <cstdio>

struct Node {
    int value;
    Node* next;
};

__global__ void lists(int* sums) {
    Node* first = nullptr;
    for (int i = 0; i <= static_cast<int>(threadIdx.x); ++i) first = new Node{i, first};
    int sum = 0;
    while (first) {
        Node* const gone = first;
        sum += gone->value;
        first = gone->next;
        delete gone;
    }
    int* const copy = static_cast<int*>(malloc(sizeof(int)));
    *copy = sum;
    sums[threadIdx.x] = *copy;
    free(copy);
}

int main() {
    const int n = 8;
    int* sums;
    cudaMallocManaged(&sums, n * sizeof(int));
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
    lists<<<1, n>>>(sums);
    printf("%s:", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < n; ++i) printf(" %d", sums[i]);
    printf("\n");
}
