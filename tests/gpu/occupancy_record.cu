// Records what cudaOccupancyMaxActiveBlocksPerMultiprocessor answers on a GPU, for kernels of every register count,
// with static shared memory, barriers, carve-outs and without opting in. From the root of the project:
//   nvcc -std=c++17 -arch=native -I. tests/gpu/occupancy_record.cu -o record
//   ./record > tests/gpu/occupancy_recorded.inc
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "tests/gpu/occupancy_grid.hpp"

namespace {

using occupancy_grid::Row;

constexpr int kOptIn = 232448, kDefaultCarveout = -1;

// Keeps `live` values in registers across a fence: loads cannot sink below it, nor stores rise above it.
template <int live, int static_bytes, int barriers>
__global__ void holds(const float* in, float* out) {
    float values[live];
#pragma unroll
    for (int i = 0; i < live; ++i) values[i] = in[i * 1024 + threadIdx.x];
    __threadfence();
    if constexpr (barriers > 0) asm volatile("bar.sync %0, 32;" ::"n"(barriers - 1) : "memory");
    if constexpr (static_bytes > 0) {
        __shared__ volatile char shared[static_bytes];
        shared[threadIdx.x % static_bytes] = static_cast<char>(values[0]);
        __syncwarp();
        values[0] += shared[(threadIdx.x + 1) % static_bytes];
    }
#pragma unroll
    for (int i = 0; i < live; ++i) out[i * 1024 + threadIdx.x] = values[i];
}

// More values than it may have registers for: it takes all that it may, and spills the rest.
template <int registers>
__global__ void __maxnreg__(registers) takes(const float* in, float* out) {
    float values[registers];
#pragma unroll
    for (int i = 0; i < registers; ++i) values[i] = in[i * 1024 + threadIdx.x];
    __threadfence();
#pragma unroll
    for (int i = 0; i < registers; ++i) out[i * 1024 + threadIdx.x] = values[i];
}

using Kernel = void (*)(const float*, float*);

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    std::exit(1);
}

int capability() {
    int major = 0, minor = 0;
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    return major * 10 + minor;
}

char answer(Kernel kernel, int threads, int dynamic) {
    int blocks = -1;
    const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, static_cast<std::size_t>(dynamic));
    cudaGetLastError();
    if (error != cudaSuccess || blocks < 0 || blocks > 35) return occupancy_grid::kRefused;
    return static_cast<char>(blocks < 10 ? '0' + blocks : 'a' + blocks - 10);
}

// The device's largest opt-in is less than an H100's on other GPUs.
int opt_in() {
    int bytes = 0;
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    return bytes < kOptIn ? bytes : kOptIn;
}

void record(Kernel kernel, int barriers, int carveout, bool opts_in) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel));
    const int dynamic_limit =
        opts_in ? opt_in() - static_cast<int>(attributes.sharedSizeBytes) : attributes.maxDynamicSharedSizeBytes;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic_limit));
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
    std::string blocks;
    occupancy_grid::for_each_launch([&](int threads, int dynamic) { blocks += answer(kernel, threads, dynamic); });
    std::printf("{%d, %d, %d, %d, %d, %d,\n", capability(), attributes.numRegs,
                static_cast<int>(attributes.sharedSizeBytes), barriers, carveout, dynamic_limit);
    constexpr std::size_t kLine = sizeof occupancy_grid::kDynamic / sizeof *occupancy_grid::kDynamic * 3;
    for (std::size_t at = 0; at < blocks.size(); at += kLine)
        std::printf(" \"%s\"%s\n", blocks.substr(at, kLine).c_str(), at + kLine >= blocks.size() ? "}," : "");
}

template <int... step>
void record_registers(std::integer_sequence<int, step...>) {
    (record(takes<24 + 3 * step>, 0, kDefaultCarveout, true), ...);
}

template <int... barriers>
void record_barriers(std::integer_sequence<int, barriers...>) {
    (record(holds<8, 0, barriers + 1>, barriers + 1, kDefaultCarveout, true), ...);
}

template <int live>
void record_static() {
    record(holds<live, 4, 0>, 0, kDefaultCarveout, true);
    record(holds<live, 1000, 0>, 0, kDefaultCarveout, true);
    record(holds<live, 20000, 0>, 0, kDefaultCarveout, true);
    record(holds<live, 49152, 0>, 0, kDefaultCarveout, true);
    record(holds<live, 20000, 1>, 1, kDefaultCarveout, false);
}

}  // namespace

int main() {
    cudaDeviceProp device{};
    int driver = 0, runtime = 0;
    check(cudaGetDeviceProperties(&device, 0));
    check(cudaDriverGetVersion(&driver));
    check(cudaRuntimeGetVersion(&runtime));
    std::printf("// What CUDA %d.%d (driver for %d.%d) answered on an %s: occupancy_record.cu wrote this.\n",
                runtime / 1000, runtime % 1000 / 10, driver / 1000, driver % 1000 / 10, device.name);
    record(holds<5, 0, 0>, 0, kDefaultCarveout, false);
    record_registers(std::make_integer_sequence<int, 78>{});
    record_barriers(std::make_integer_sequence<int, 16>{});
    record_static<6>();
    record_static<60>();
    for (const int carveout : {0, 1, 5, 12, 25, 33, 43, 44, 50, 57, 58, 66, 75, 86, 90, 100})
        record(holds<10, 0, 0>, 0, carveout, true);
}
