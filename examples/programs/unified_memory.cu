// Managed memory: a list whose nodes the host links and a kernel walks, an object with an allocator of its own, advice
// and prefetching.
#include <cstdio>
#include <new>

struct Managed {
    void* operator new(std::size_t bytes) {
        void* memory;
        if (cudaMallocManaged(&memory, bytes) != cudaSuccess) throw std::bad_alloc();
        return memory;
    }
    void operator delete(void* memory) { cudaFree(memory); }
};

struct Node : Managed {
    int value;
    Node* next;
};

struct Totals : Managed {
    int sum, length;
};

__global__ void walk(const Node* list, Totals* totals) {
    int sum = 0, length = 0;
    for (const Node* node = list; node; node = node->next, ++length) sum += node->value;
    totals->sum = sum;
    totals->length = length;
}

__global__ void twice(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

int main() {
    Node* list = nullptr;
    for (int i = 1; i <= 10; ++i) {
        Node* const node = new Node;
        node->value = i * i;
        node->next = list;
        list = node;
    }
    Totals* const totals = new Totals;
    walk<<<1, 1>>>(list, totals);
    cudaDeviceSynchronize();
    printf("%d nodes, sum %d\n", totals->length, totals->sum);
    while (list) {
        Node* const next = list->next;
        delete list;
        list = next;
    }
    delete totals;

    const int n = 1 << 12;
    int* data;
    cudaMallocManaged(&data, n * sizeof(int));
    for (int i = 0; i < n; ++i) data[i] = i;
    twice<<<n / 256, 256>>>(data, n);
    cudaDeviceSynchronize();
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, data);
    printf("%d %d, managed: %s\n", data[1], data[n - 1], attributes.type == cudaMemoryTypeManaged ? "yes" : "no");
    cudaFree(data);
}
