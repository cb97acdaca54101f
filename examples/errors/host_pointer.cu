// Shows: a kernel gets a pointer to ordinary host memory, never copied. Some systems let the GPU read it, most do not:
// the attribute says which kind this is.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void store(int* address) { *address = 1; }

void tell(const char* what, cudaError_t code) {
    std::printf("%s: %s (%s)\n", what, cudaGetErrorName(code), cudaGetErrorString(code));
}

int main() {
    int reaches_host_memory = 0;
    tell("cudaDeviceGetAttribute", cudaDeviceGetAttribute(&reaches_host_memory, cudaDevAttrPageableMemoryAccess, 0));
    std::printf("this device reaches host memory: %s\n", reaches_host_memory ? "yes" : "no");
    std::vector<int> values(1024);
    store<<<1, 1>>>(values.data());
    tell("cudaDeviceSynchronize", cudaDeviceSynchronize());
    std::printf("the first value: %d\n", values[0]);
}
