// Breadth-first search of a graph, a launch a level: a queue that atomics fill, and atomicCAS for who comes first.
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

__global__ void visit(const int* starts, const int* edges, int* level, int depth, const int* queue, int length,
                      int* next, int* next_length) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length) return;
    const int vertex = queue[i];
    for (int k = starts[vertex]; k < starts[vertex + 1]; ++k)
        if (atomicCAS(&level[edges[k]], -1, depth) == -1) next[atomicAdd(next_length, 1)] = edges[k];
}

int main() {
    const int n = 2000;
    std::vector<int> starts{0}, edges;
    for (int v = 0; v < n; ++v) {
        for (const int to : {(v * 2 + 1) % n, (v + 7) % n, (v * v + 3) % n}) edges.push_back(to);
        starts.push_back(static_cast<int>(edges.size()));
    }
    int *first, *edge, *level, *queue, *next, *length;
    cudaMallocManaged(&first, starts.size() * sizeof(int));
    cudaMallocManaged(&edge, edges.size() * sizeof(int));
    cudaMallocManaged(&level, n * sizeof(int));
    cudaMallocManaged(&queue, n * sizeof(int));
    cudaMallocManaged(&next, n * sizeof(int));
    cudaMallocManaged(&length, sizeof(int));
    std::copy(starts.begin(), starts.end(), first);
    std::copy(edges.begin(), edges.end(), edge);
    for (int v = 0; v < n; ++v) level[v] = -1;
    level[0] = 0;
    queue[0] = 0;
    int count = 1, depth = 0;
    while (count > 0) {
        *length = 0;
        visit<<<(count + 127) / 128, 128>>>(first, edge, level, ++depth, queue, count, next, length);
        cudaDeviceSynchronize();
        count = *length;
        std::swap(queue, next);
    }
    std::vector<int> expected(n, -1), waiting{0};
    expected[0] = 0;
    for (std::size_t i = 0; i < waiting.size(); ++i)
        for (int k = starts[waiting[i]]; k < starts[waiting[i] + 1]; ++k)
            if (expected[edges[k]] < 0) {
                expected[edges[k]] = expected[waiting[i]] + 1;
                waiting.push_back(edges[k]);
            }
    int wrong = 0;
    for (int v = 0; v < n; ++v) wrong += level[v] != expected[v];
    printf("%d levels, %zu of %d reached, %d wrong\n", depth - 1, waiting.size(), n, wrong);
}
