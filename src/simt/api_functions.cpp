// Attributes of kernels and their occupancy: what a multiprocessor of the GPU that the device stands for would hold of
// a kernel whose registers and static shared memory are no limit.
#include <lanework_simt/functions.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

#include "src/gpu/occupancy.hpp"
#include "src/simt/api_call.hpp"
#include "src/simt/gpu.hpp"
#include "src/simt/module_symbols.hpp"

namespace lanework_simt {
namespace {

const lanework::Capability& architecture() { return presented_gpu().limits(); }

std::mutex mutex;
/// What kernels prefer, each GPU by itself.
std::map<const lanework::Gpu*, std::unordered_map<const void*, int>>& carveouts_by_gpu() {
    static auto* map = new std::map<const lanework::Gpu*, std::unordered_map<const void*, int>>;
    return *map;
}

int carveout_of(const void* kernel) {
    const std::lock_guard lock(mutex);
    const auto& known = carveouts_by_gpu()[&presented_gpu()];
    const auto found = known.find(kernel);
    return found == known.end() ? int(cudaSharedmemCarveoutDefault) : found->second;
}

int blocks_of(const void* kernel, int block_size, size_t shared_bytes) {
    if (shared_bytes > kMaxSharedBytes) return 0;  // more than fits the type below, too
    const lanework::KernelResources resources{.threads_per_block = block_size,
                                              .dynamic_shared = std::int64_t(shared_bytes),
                                              .dynamic_limit = std::int64_t(allowed_dynamic_shared(kernel)),
                                              .carveout = carveout_of(kernel)};
    return lanework::occupancy(architecture(), resources).blocks;
}

cudaError_t set_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize:
            if (value < 0 || value > architecture().shared_per_block) return cudaErrorInvalidValue;
            allow_dynamic_shared(kernel, std::size_t(value));
            return cudaSuccess;
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
                return cudaErrorInvalidValue;
            carveouts_by_gpu()[&presented_gpu()][kernel] = value;
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
    carveouts_by_gpu().clear();
    forget_allowed_dynamic_shared();
}

cudaError_t api::cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    return call([&] {
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        const std::lock_guard lock(mutex);
        return set_attribute(kernel, attribute, value);
    });
}

cudaError_t api::cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    return call([&] {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        *attributes = {};
        attributes->maxThreadsPerBlock = architecture().threads_per_block;
        attributes->ptxVersion = attributes->binaryVersion = architecture().number;
        attributes->maxDynamicSharedSizeBytes = int(allowed_dynamic_shared(kernel));
        attributes->preferredShmemCarveout = carveout_of(kernel);
        return cudaSuccess;
    });
}

cudaError_t api::cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache config) {
    return call([&] {
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        const bool known = config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual;
        return known ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t api::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int block_size,
                                                                        size_t shared_bytes, unsigned int flags) {
    return call([&] {
        if (blocks == nullptr || block_size <= 0 || flags > cudaOccupancyDisableCachingOverride)
            return cudaErrorInvalidValue;
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        *blocks = blocks_of(kernel, block_size, shared_bytes);
        return cudaSuccess;
    });
}

cudaError_t api::cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, const void* kernel, int blocks,
                                                           int block_size) {
    return call([&] {
        if (shared_bytes == nullptr || blocks <= 0 || block_size <= 0) return cudaErrorInvalidValue;
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        if (blocks > blocks_of(kernel, block_size, 0)) return cudaErrorInvalidValue;
        const lanework::Capability& sm = architecture();
        const auto share = size_t(sm.shared_per_sm / blocks / sm.shared_granule * sm.shared_granule);
        *shared_bytes = std::min(share, allowed_dynamic_shared(kernel));  // CUDA leaves its reserve out of this too
        return cudaSuccess;
    });
}

namespace kernel_occupancy {

cudaError_t best_block_size(int* grid_size, int* block_size, const void* kernel, SharedBytesOf shared_bytes,
                            const void* state, int limit) {
    return call([&] {
        if (grid_size == nullptr || block_size == nullptr || limit < 0) return cudaErrorInvalidValue;
        if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
        const int warp = architecture().warp_size, most = architecture().threads_per_block;
        const int largest = limit == 0 ? most : std::min(limit, most);
        int best = 0, best_blocks = 0;
        for (int threads = (largest + warp - 1) / warp * warp; threads > 0; threads -= warp) {
            const int size = std::min(threads, largest);
            const int blocks = blocks_of(kernel, size, shared_bytes(state, size));
            if (blocks * size > best_blocks * best) best = size, best_blocks = blocks;
        }
        *block_size = best;
        *grid_size = best_blocks * presented_gpu().sms;
        return cudaSuccess;
    });
}

}  // namespace kernel_occupancy

namespace kernel_functions {

/// Whether the GPU could hold all blocks of a launch at the same time.
static bool fits_at_once(const void* kernel, const Request& request) {
    const unsigned threads = request.block.x * request.block.y * request.block.z;
    if (threads == 0 || threads > unsigned(architecture().threads_per_block)) return true;  // the launch says why not
    const auto most =
        std::uint64_t(blocks_of(kernel, int(threads), request.shared_bytes)) * std::uint64_t(presented_gpu().sms);
    return std::uint64_t{request.grid.x} * request.grid.y * request.grid.z <= most;
}

cudaError_t launched(void (*launch)(const void* state), const void* state) {
    const cudaError_t before = cudaGetLastError();
    launch(state);
    const cudaError_t error = cudaPeekAtLastError();
    if (error == cudaSuccess && before != cudaSuccess) record(before);
    return error;
}

namespace {
std::mutex known_mutex;
std::unordered_map<const void*, Known>& kernels() {
    static auto* map = new std::unordered_map<const void*, Known>;  // never destroyed: see memory_map()
    return *map;
}
std::unordered_map<const void*, std::string>& names() {
    static auto* map = new std::unordered_map<const void*, std::string>;
    return *map;
}
}  // namespace

void know(const void* kernel, Known known) {
    const std::lock_guard lock(known_mutex);
    kernels().emplace(kernel, known);
}

const Known* known(const void* kernel) {
    const std::lock_guard lock(known_mutex);
    const auto found = kernels().find(kernel);
    return found == kernels().end() ? nullptr : &found->second;
}

const char* name_of(const void* kernel) {
    const std::lock_guard lock(known_mutex);
    const auto [named, added] = names().try_emplace(kernel);
    if (added) named->second = symbol_name(kernel);
    return named->second.empty() ? nullptr : named->second.c_str();
}

cudaError_t launch_known(const void* kernel, const Request& request, void** arguments) {
    const Known* const how = known(kernel);
    if (!how) {
        return record(cudaErrorInvalidDeviceFunction,
                      "this address is of no kernel whose parameters are known: pass the kernel itself, or cast it to "
                      "void* where it is named");
    }
    if (request.cooperative && !fits_at_once(kernel, request)) return record(cudaErrorCooperativeLaunchTooLarge);
    const auto launch = [&] { how->launch(kernel, request, arguments); };
    return launched([](const void* state) { (*static_cast<const decltype(launch)*>(state))(); }, &launch);
}

cudaError_t request_of(const cudaLaunchConfig_t* config, Place place, Request& request) {
    if (config == nullptr || (config->numAttrs != 0 && config->attrs == nullptr)) return cudaErrorInvalidValue;
    request = {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, false, place};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        if (attribute.id == cudaLaunchAttributeCooperative) request.cooperative = attribute.val.cooperative != 0;
        const auto& cluster = attribute.val.clusterDim;
        if (attribute.id == cudaLaunchAttributeClusterDimension && cluster.x * cluster.y * cluster.z > 1)
            return cudaErrorNotSupported;
    }
    return cudaSuccess;
}

}  // namespace kernel_functions

cudaError_t api::cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                  cudaStream_t stream, Place place) {
    return kernel_functions::launch_known(kernel, {grid, block, shared_bytes, stream, false, place}, arguments);
}
cudaError_t api::cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                             size_t shared_bytes, cudaStream_t stream, Place place) {
    return kernel_functions::launch_known(kernel, {grid, block, shared_bytes, stream, true, place}, arguments);
}
cudaError_t api::cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments,
                                     Place place) {
    kernel_functions::Request request;
    if (const cudaError_t error = kernel_functions::request_of(config, place, request); error != cudaSuccess)
        return record(error);
    return kernel_functions::launch_known(kernel, request, arguments);
}

cudaError_t api::cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue* value) {
    return call([&] {
        if (!stream_exists(stream)) return cudaErrorInvalidResourceHandle;
        return value == nullptr ? cudaErrorInvalidValue : cudaSuccess;
    });
}
cudaError_t api::cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID, cudaStreamAttrValue* value) {
    return call([&] {
        if (!stream_exists(stream)) return cudaErrorInvalidResourceHandle;
        if (value == nullptr) return cudaErrorInvalidValue;
        *value = {};
        return cudaSuccess;
    });
}

}  // namespace lanework_simt
