// A stack without a lock: its head is an index and a count of changes, 16 bytes that atomicCAS replaces as one, so that
// a head that went away and came back is not taken for the same. And 16 bytes that atomicExch never tears.
// Compute capability 9.0: nvcc -arch=sm_90
#include <cstdio>
#include <vector>

#define CHECK(call)                                                                    \
    do {                                                                               \
        const cudaError_t error = (call);                                              \
        if (error != cudaSuccess) {                                                    \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            return 1;                                                                  \
        }                                                                              \
    } while (false)

constexpr int kNodes = 500, kBlock = 128;
constexpr long long kNone = -1;

struct alignas(16) Head {
    long long top;               // the first node, kNone where there is none
    unsigned long long changes;  // of the head
};

// Puts a node in front. The node's `next` is written before the swap makes it known.
__device__ void push(Head* head, long long* next, long long node) {
    Head seen{kNone, 0};
    for (;;) {
        next[node] = seen.top;
        __threadfence();
        const Head found = atomicCAS(head, seen, Head{node, seen.changes + 1});
        if (found.top == seen.top && found.changes == seen.changes) return;
        seen = found;
    }
}

// Takes the first node. Whoever takes it meanwhile changes the head, and the swap fails.
__device__ long long pop(Head* head, const long long* next) {
    Head seen = atomicCAS(head, Head{kNone, 0}, Head{kNone, 0});  // as it is
    while (seen.top != kNone) {
        const Head found = atomicCAS(head, seen, Head{next[seen.top], seen.changes + 1});
        if (found.top == seen.top && found.changes == seen.changes) return seen.top;
        seen = found;
    }
    return kNone;
}

__global__ void push_all(Head* head, long long* next) {
    const int node = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (node < kNodes) push(head, next, node);
}

__global__ void pop_all(Head* head, const long long* next, int* times) {
    const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (thread >= kNodes) return;
    const long long node = pop(head, next);
    if (node != kNone) atomicAdd(&times[node], 1);
}

struct alignas(16) Square {
    unsigned long long root, square;
};

// Everyone leaves a number with its square, and counts itself where what it found does not belong together.
__global__ void exchange_all(Square* place, unsigned long long* roots, int* torn) {
    const unsigned long long own = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const Square found = atomicExch(place, Square{own, own * own});
    if (found.square != found.root * found.root) atomicAdd(torn, 1);
    atomicAdd(roots, found.root);
}

int main() {
    Head* head = nullptr;
    long long* next = nullptr;
    int* times = nullptr;
    CHECK(cudaMalloc(&head, sizeof(Head)));
    CHECK(cudaMalloc(&next, kNodes * sizeof(long long)));
    CHECK(cudaMalloc(&times, kNodes * sizeof(int)));
    Head state{kNone, 0};
    CHECK(cudaMemcpy(head, &state, sizeof state, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(times, 0, kNodes * sizeof(int)));
    const int blocks = (kNodes + kBlock - 1) / kBlock;
    push_all<<<blocks, kBlock>>>(head, next);
    pop_all<<<blocks, kBlock>>>(head, next, times);
    CHECK(cudaGetLastError());
    std::vector<int> taken(kNodes);
    CHECK(cudaMemcpy(taken.data(), times, kNodes * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&state, head, sizeof state, cudaMemcpyDeviceToHost));
    int once = 0;
    for (const int count : taken) once += count == 1;
    std::printf("%d of %d nodes were taken once; the head changed %llu times and is %s\n", once, kNodes, state.changes,
                state.top == kNone ? "empty" : "not empty");

    constexpr unsigned long long kThreads = 32 * kBlock;
    Square* place = nullptr;
    unsigned long long* roots = nullptr;
    int* torn = nullptr;
    CHECK(cudaMalloc(&place, sizeof(Square)));
    CHECK(cudaMalloc(&roots, sizeof(unsigned long long)));
    CHECK(cudaMalloc(&torn, sizeof(int)));
    CHECK(cudaMemset(place, 0, sizeof(Square)));
    CHECK(cudaMemset(roots, 0, sizeof(unsigned long long)));
    CHECK(cudaMemset(torn, 0, sizeof(int)));
    exchange_all<<<32, kBlock>>>(place, roots, torn);
    CHECK(cudaGetLastError());
    Square last{};
    unsigned long long sum = 0;
    int of_two = 0;
    CHECK(cudaMemcpy(&last, place, sizeof last, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&sum, roots, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&of_two, torn, sizeof of_two, cudaMemcpyDeviceToHost));
    std::printf("%d numbers were found with another's square; all %llu were found or are left: %s\n", of_two, kThreads,
                sum + last.root == kThreads * (kThreads + 1) / 2 ? "yes" : "no");
    for (void* memory : {static_cast<void*>(head), static_cast<void*>(next), static_cast<void*>(times),
                         static_cast<void*>(place), static_cast<void*>(roots), static_cast<void*>(torn)})
        CHECK(cudaFree(memory));
    return 0;
}
