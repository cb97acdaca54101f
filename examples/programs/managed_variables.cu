// __managed__ variables and managed memory: the host and kernels use the same ones.
#include <cstdio>

__managed__ int calls = 0;
__managed__ float history[4];

struct Node {
    int value;
    Node* next;
};

__global__ void double_all(Node* first) {
    for (Node* node = first; node; node = node->next) node->value *= 2;
    history[calls] = first->value;
    ++calls;
}

int main() {
    Node* first = nullptr;
    for (int i = 3; i > 0; --i) {
        Node* node;
        cudaMallocManaged(&node, sizeof(Node));
        *node = {i, first};
        first = node;
    }
    for (int i = 0; i < 3; ++i) {
        double_all<<<1, 1>>>(first);
        cudaDeviceSynchronize();
    }
    for (const Node* node = first; node; node = node->next) printf("%d ", node->value);
    printf("after %d calls: %g %g %g\n", calls, history[0], history[1], history[2]);
}
