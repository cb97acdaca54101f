// A kernel's parameter that is a reference to managed memory: the kernel changes the program's own object.
#include <cstdio>

struct Counts {
    int even, odd;
};

__managed__ int step = 2;

__global__ void count(Counts& counts, const int& by, int n) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * by;
    if (i >= n) return;
    atomicAdd(i / 2 % 2 == 0 ? &counts.even : &counts.odd, 1);
}

template <class T>
__global__ void set(T& target, T value) {
    target = value;
}

int main() {
    Counts* counts;
    cudaMallocManaged(&counts, sizeof *counts);
    *counts = {0, 0};
    count<<<2, 32>>>(*counts, step, 100);
    cudaDeviceSynchronize();
    printf("%d even, %d odd\n", counts->even, counts->odd);

    set<<<1, 1>>>(step, 5);
    cudaDeviceSynchronize();
    printf("step %d\n", step);

    // By address, an argument that is a reference is a pointer.
    int* to = &step;
    int value = 7;
    void* arguments[] = {&to, &value};
    cudaLaunchKernel((void*)set<int>, dim3(1), dim3(1), arguments, 0, 0);
    cudaDeviceSynchronize();
    printf("step %d\n", step);
    cudaFree(counts);
}
