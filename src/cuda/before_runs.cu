// Reading through the caches, and waiting.
#include "src/cuda/before_runs.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {
namespace {

constexpr int kThreads = 512, kBlocks = 512;

// What is read must be used: of zeros nothing is left that would have to be written.
__global__ void __launch_bounds__(kThreads) read_zeros(uint4* zeros, std::size_t count) {
    unsigned any = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * kThreads) {
        const uint4 four = zeros[i];
        any |= four.x | four.y | four.z | four.w;
    }
    if (any != 0) zeros[0].x = any;
}

__device__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void pass_time(unsigned long long duration) {
    const unsigned long long start = nanoseconds();
    while (nanoseconds() - start < duration) {
    }
}

}  // namespace

void read_through(DeviceView<uint4> zeros, cudaStream_t stream) {
    read_zeros<<<kBlocks, kThreads, 0, stream>>>(zeros.data, zeros.size);
    LANEWORK_CHECK(cudaGetLastError());
}

void hold(double seconds, cudaStream_t stream) {
    pass_time<<<1, 1, 0, stream>>>(static_cast<unsigned long long>(seconds * 1e9));
    LANEWORK_CHECK(cudaGetLastError());
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
