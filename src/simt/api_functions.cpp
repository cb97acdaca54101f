// Attributes of kernels and their occupancy: what an H100's multiprocessor would hold of a kernel whose registers and
// static shared memory are no limit.
#include <lanework_simt/functions.hpp>

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "src/simt/api_call.hpp"

namespace lanework_simt {
namespace {

constexpr int kArchitecture = 90;
constexpr int kMaxThreads = 1024, kWarp = 32;
constexpr int kResidentThreads = 2048, kResidentBlocks = 32;
constexpr size_t kSharedPerMultiprocessor = 228 * 1024, kSharedReservedPerBlock = 1024;
constexpr size_t kSharedGranule = 128;

struct Attributes {
    int dynamic_shared_bytes = int(kDefaultSharedBytes);
    int carveout = cudaSharedmemCarveoutDefault;
};

std::mutex mutex;
std::unordered_map<const void*, Attributes>& attributes_by_kernel() {
    static auto* map = new std::unordered_map<const void*, Attributes>;
    return *map;
}

Attributes attributes_of(const void* kernel) {
    const std::lock_guard lock(mutex);
    const auto found = attributes_by_kernel().find(kernel);
    return found == attributes_by_kernel().end() ? Attributes{} : found->second;
}

/// What the multiprocessor sets aside as shared memory: the smallest of its partitions that holds the preferred share
/// and one block.
size_t shared_capacity(int carveout, size_t block_bytes) {
    if (carveout == cudaSharedmemCarveoutDefault) return kSharedPerMultiprocessor;
    const size_t wanted = std::max(kSharedPerMultiprocessor * size_t(carveout) / 100, block_bytes);
    for (const size_t kibibytes : {8, 16, 32, 64, 100, 132, 164, 196})
        if (kibibytes * 1024 >= wanted) return kibibytes * 1024;
    return kSharedPerMultiprocessor;
}

int blocks_of(const Attributes& kernel, int block_size, size_t shared_bytes) {
    if (block_size > kMaxThreads || shared_bytes > kMaxSharedBytes) return 0;
    const int threads = (block_size + kWarp - 1) / kWarp * kWarp;
    const size_t shared =
        (shared_bytes + kSharedReservedPerBlock + kSharedGranule - 1) / kSharedGranule * kSharedGranule;
    const size_t by_shared = shared_capacity(kernel.carveout, shared) / shared;
    return std::min({kResidentBlocks, kResidentThreads / threads, int(by_shared)});
}

cudaError_t set_attribute(Attributes& attributes, cudaFuncAttribute attribute, int value) {
    switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize:
            if (value < 0 || value > int(kMaxSharedBytes)) return cudaErrorInvalidValue;
            attributes.dynamic_shared_bytes = value;
            return cudaSuccess;
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
                return cudaErrorInvalidValue;
            attributes.carveout = value;
            return cudaSuccess;
        case cudaFuncAttributeClusterDimMustBeSet:
        case cudaFuncAttributeRequiredClusterWidth:
        case cudaFuncAttributeRequiredClusterHeight:
        case cudaFuncAttributeRequiredClusterDepth:
        case cudaFuncAttributeNonPortableClusterSizeAllowed:
        case cudaFuncAttributeClusterSchedulingPolicyPreference: return cudaErrorNotSupported;
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace

void forget_function_attributes() {
    const std::lock_guard lock(mutex);
    attributes_by_kernel().clear();
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    return call([&] {
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        const std::lock_guard lock(mutex);
        return set_attribute(attributes_by_kernel()[kernel], attribute, value);
    });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    return call([&] {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        const Attributes known = attributes_of(kernel);
        *attributes = {};
        attributes->maxThreadsPerBlock = kMaxThreads;
        attributes->ptxVersion = attributes->binaryVersion = kArchitecture;
        attributes->maxDynamicSharedSizeBytes = known.dynamic_shared_bytes;
        attributes->preferredShmemCarveout = known.carveout;
        return cudaSuccess;
    });
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache config) {
    return call([&] {
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        const bool known = config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual;
        return known ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int block_size,
                                                                   size_t shared_bytes, unsigned int flags) {
    return call([&] {
        if (blocks == nullptr || block_size <= 0 || flags > cudaOccupancyDisableCachingOverride)
            return cudaErrorInvalidValue;
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        *blocks = blocks_of(attributes_of(kernel), block_size, shared_bytes);
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, const void* kernel, int blocks,
                                                      int block_size) {
    return call([&] {
        if (shared_bytes == nullptr || blocks <= 0 || block_size <= 0) return cudaErrorInvalidValue;
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        const Attributes known = attributes_of(kernel);
        if (blocks > blocks_of(known, block_size, 0)) return cudaErrorInvalidValue;
        const size_t share = kSharedPerMultiprocessor / size_t(blocks) / kSharedGranule * kSharedGranule;
        *shared_bytes = std::min(share, size_t(known.dynamic_shared_bytes));  // CUDA leaves its reserve out of this too
        return cudaSuccess;
    });
}

namespace occupancy {

cudaError_t best_block_size(int* grid_size, int* block_size, const void* kernel, SharedBytesOf shared_bytes,
                            const void* state, int limit) {
    return call([&] {
        if (grid_size == nullptr || block_size == nullptr || limit < 0) return cudaErrorInvalidValue;
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        const Attributes known = attributes_of(kernel);
        const int largest = limit == 0 ? kMaxThreads : std::min(limit, kMaxThreads);
        int best = 0, best_blocks = 0;
        for (int threads = (largest + kWarp - 1) / kWarp * kWarp; threads > 0; threads -= kWarp) {
            const int size = std::min(threads, largest);
            const int blocks = blocks_of(known, size, shared_bytes(state, size));
            if (blocks * size > best_blocks * best) best = size, best_blocks = blocks;
        }
        int multiprocessors = 0;
        *block_size = best;
        const cudaError_t error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
        *grid_size = best_blocks * multiprocessors;
        return error;
    });
}

}  // namespace occupancy

namespace functions {

cudaError_t launched(void (*launch)(const void* state), const void* state) {
    const cudaError_t before = cudaGetLastError();
    launch(state);
    const cudaError_t error = cudaPeekAtLastError();
    if (error == cudaSuccess && before != cudaSuccess) record(before);
    return error;
}

}  // namespace functions
}  // namespace lanework_simt
