// Shows: every call checked by one function, which knows its caller's place; launches are asked for their error, too.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

/// Throws std::runtime_error with the place, the name and the text of the error, unless there is none. The place is
/// that of the caller: default arguments are evaluated there. (C++20 has std::source_location for the same.)
void check(cudaError_t code, const char* what, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (code == cudaSuccess) return;
    const char* folder_end = std::strrchr(file, '/');
    throw std::runtime_error(std::string(folder_end ? folder_end + 1 : file) + ":" + std::to_string(line) + ": " +
                             what + ": " + cudaGetErrorName(code) + ": " + cudaGetErrorString(code));
}

/// Owns device memory, so that it is given back when a later check throws.
class DeviceInts {
public:
    explicit DeviceInts(std::size_t count) { check(cudaMalloc(&data_, count * sizeof(int)), "cudaMalloc"); }
    DeviceInts(const DeviceInts&) = delete;
    DeviceInts& operator=(const DeviceInts&) = delete;
    ~DeviceInts() { cudaFree(data_); }  // the one call whose error nobody can use

    int* data() const { return data_; }

private:
    int* data_ = nullptr;
};

__global__ void add_one(int* values, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) values[i] += 1;
}

void run(int threads) {
    constexpr int kCount = 100000;
    std::vector<int> host(kCount, 41);
    const DeviceInts values(kCount);
    const std::size_t bytes = kCount * sizeof(int);
    check(cudaMemcpy(values.data(), host.data(), bytes, cudaMemcpyHostToDevice), "copy to the device");
    add_one<<<(kCount + threads - 1) / threads, threads>>>(values.data(), kCount);
    check(cudaGetLastError(), "launch of add_one");  // what the launch itself says
    check(cudaDeviceSynchronize(), "add_one");       // what the kernel says; for debugging only
    check(cudaMemcpy(host.data(), values.data(), bytes, cudaMemcpyDeviceToHost), "copy to the host");
    std::printf("with %d threads per block: 41 + 1 = %d\n", threads, host[0]);
}

int main() {
    try {
        run(1024);
        run(1025);
        return 0;
    } catch (const std::exception& error) {
        std::printf("error: %s\n", error.what());
        return 1;
    }
}
