// 0 + 1 + … + 999.
#include <cstdio>

#include "sum.hpp"

int main() {
    constexpr int n = 1000;
    int* numbers = nullptr;
    cudaMallocManaged(&numbers, n * sizeof(int));
    for (int i = 0; i < n; ++i) numbers[i] = i;
    std::printf("%d\n", sum(numbers, n));
    cudaFree(numbers);
    return 0;
}
