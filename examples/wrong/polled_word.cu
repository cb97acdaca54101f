// Wrong: a thread polls a word by plain reads, which the compiler may join to one, until another thread's
// compare-and-swap. Only a read whose value goes into the thread's own compare-and-swap does no harm. Right: a volatile
// read, or cuda::atomic_ref's load. Without a GPU it comes out right: the host's compiler reads each time.
// finding: race at line 10
#include <cstdio>

__global__ void pass_on(int* baton) {
    if (blockIdx.x == 1) {
        if (threadIdx.x == 0) {
            atomicCAS(baton, 0, 1);
        }
    } else if (threadIdx.x == 0) {
        while (*baton != 1) __threadfence();
        atomicCAS(baton, 1, 2);
    }
}

int main() {
    int* baton;
    cudaMallocManaged(&baton, sizeof(int));
    *baton = 0;
    pass_on<<<2, 32>>>(baton);
    cudaDeviceSynchronize();
    std::printf("%d\n", *baton);
    cudaFree(baton);
}
