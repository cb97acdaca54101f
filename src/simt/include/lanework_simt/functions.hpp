// Kernels as values: their attributes, their occupancy, and launches without <<<>>>. A kernel's registers and static
// shared memory are the compiler's secret here, so that they count as none.
#pragma once

#include <lanework_simt/device.hpp>
#include <lanework_simt/launch.hpp>
#include <lanework_simt/stream.hpp>

namespace lanework_simt {

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeRequiredClusterHeight = 12,
    cudaFuncAttributeRequiredClusterDepth = 13,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
    cudaFuncAttributeMax,
};

enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxShared = 100,
    cudaSharedmemCarveoutMaxL1 = 0,
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes;
    size_t constSizeBytes;
    size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
    int clusterDimMustBeSet;
    int requiredClusterWidth;
    int requiredClusterHeight;
    int requiredClusterDepth;
    int clusterSchedulingPolicyPreference;
    int nonPortableClusterSizeAllowed;
    int reserved[16];
};

#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int block_size,
                                                                   size_t shared_bytes, unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, const void* kernel, int blocks,
                                                      int block_size);

template <class T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute((const void*)kernel, attribute, value);
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
    return cudaFuncGetAttributes(attributes, (const void*)kernel);
}
template <class T>
cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
    return cudaFuncSetCacheConfig((const void*)kernel, config);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel, int block_size,
                                                                   size_t shared_bytes, unsigned int flags) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel, block_size, shared_bytes,
                                                                  flags);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel, int block_size, size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel, block_size, shared_bytes,
                                                                  cudaOccupancyDefault);
}
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, T kernel, int blocks, int block_size) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, (const void*)kernel, blocks, block_size);
}

namespace occupancy {
using SharedBytesOf = size_t (*)(const void* state, int block_size);
/// The block size that keeps most threads resident, the largest among equals.
cudaError_t best_block_size(int* grid_size, int* block_size, const void* kernel, SharedBytesOf shared_bytes,
                            const void* state, int limit);
}  // namespace occupancy

/// `shared_bytes(block_size)` is the dynamic shared memory that a block of that size needs.
template <class Function, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_size, int* block_size, T kernel,
                                                           Function shared_bytes, int limit = 0) {
    const auto ask = [](const void* state, int size) { return size_t((*(const Function*)state)(size)); };
    return occupancy::best_block_size(grid_size, block_size, (const void*)kernel, ask, &shared_bytes, limit);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, T kernel, size_t shared_bytes = 0,
                                               int limit = 0) {
    const auto same = [shared_bytes](int) { return shared_bytes; };
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid_size, block_size, kernel, same, limit);
}

namespace functions {
/// Runs `launch` and returns its error alone, whatever the last error was before it.
cudaError_t launched(void (*launch)(const void* state), const void* state);

template <class... Parameters, size_t... I>
void launch_by_address(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                       cudaStream_t stream, Place place, std::index_sequence<I...>) {
    const auto call = [kernel](auto&... values) { kernel(values...); };
    const auto with_name = launcher("kernel given to cudaLaunchKernel", call, place);
    with_name.configure(grid, block, shared_bytes,
                        stream)(*static_cast<std::remove_cv_t<Parameters>*>(arguments[I])...);
}
}  // namespace functions

/// `arguments` holds the address of each argument.
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = 0, Place place = Place::here()) {
    const auto launch = [&] {
        functions::launch_by_address(kernel, grid, block, arguments, shared_bytes, stream, place,
                                     std::index_sequence_for<Parameters...>{});
    };
    return functions::launched([](const void* state) { (*static_cast<const decltype(launch)*>(state))(); }, &launch);
}
/// The types of the parameters are needed: pass the kernel itself, without a cast to void*.
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t = 0, cudaStream_t = 0) = delete;

}  // namespace lanework_simt
