// Every call of CUDA is checked: what failed, where, and what CUDA calls it.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

/// Ends the program where a call failed.
inline void check(cudaError_t error, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, cudaGetErrorName(error), cudaGetErrorString(error));
    std::exit(1);
}

/// Behind a launch: whether it was taken, and whether its kernel ended well.
inline void check_launch(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    check(cudaGetLastError(), file, line);
    check(cudaDeviceSynchronize(), file, line);
}

/// Managed memory for n elements.
template <class T>
T* managed(std::size_t n) {
    T* memory = nullptr;
    check(cudaMallocManaged(&memory, n * sizeof(T)));
    return memory;
}
