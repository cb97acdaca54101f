// Memory of the simt device for tests of arrays on a GPU: what frameworks would have allocated.
#include <cuda_runtime.h>

extern "C" {
/// Never given back.
[[gnu::visibility("default")]] void* lanework_test_memory(std::size_t bytes) {
    void* memory = nullptr;
    return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : nullptr;
}
}
