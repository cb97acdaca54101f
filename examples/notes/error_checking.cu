// Errors of launches: found right behind them. cudaGetLastError() clears what it tells, cudaPeekAtLastError() keeps it.
#include "check.hpp"

__global__ void fill(int* numbers) { numbers[threadIdx.x] = static_cast<int>(threadIdx.x); }

int main() {
    int* const numbers = managed<int>(64);
    fill<<<1, 1025>>>(numbers);  // a block has at most 1024 threads: the kernel does not run
    std::printf("refused: %d\n", cudaPeekAtLastError() != cudaSuccess);
    std::printf("still there: %d\n", cudaGetLastError() != cudaSuccess);
    std::printf("cleared: %s\n", cudaGetErrorName(cudaGetLastError()));
    std::printf("a copy to nowhere: %s\n", cudaGetErrorName(cudaMemcpy(nullptr, numbers, 4, cudaMemcpyDefault)));
    cudaGetLastError();
    fill<<<1, 64>>>(numbers);
    check_launch();
    std::printf("the last number: %d\n", numbers[63]);
    check(cudaFree(numbers));
}
