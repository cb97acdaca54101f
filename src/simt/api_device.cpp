// A device: its limits and versions, waiting for it and starting afresh.
#include <lanework_simt/device.hpp>
#include <lanework_simt/error.hpp>
#include <lanework_simt/qualifiers.hpp>

#include <array>
#include <atomic>

#include "src/simt/api_capture.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/array.hpp"
#include "src/simt/devices.hpp"
#include "src/simt/fiber.hpp"
#include "src/simt/heap.hpp"
#include "src/simt/observer.hpp"

namespace lanework_simt {
namespace {

constexpr int kLimits = cudaLimitPersistingL2CacheSize + 1;

/// What cudaDeviceGetLimit answers, by the limit's number; H100's values where nothing here corresponds.
std::array<std::atomic<size_t>, kLimits> limits{1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
std::atomic<unsigned> device_flags{cudaDeviceScheduleAuto};
std::atomic<cudaFuncCache> cache_config{cudaFuncCachePreferNone};

cudaError_t check_limit(cudaLimit limit) {
    if (limit < 0 || limit >= kLimits) return cudaErrorInvalidValue;
    return limit == cudaLimitDevRuntimeSyncDepth ? cudaErrorUnsupportedLimit : cudaSuccess;
}

template <class T>
cudaError_t give(T* result, T value) {
    return call([&] {
        if (result == nullptr) return cudaErrorInvalidValue;
        *result = value;
        return cudaSuccess;
    });
}

}  // namespace

cudaError_t api::cudaSetDeviceFlags(unsigned int flags) {
    return call([&] {
        if (flags & ~unsigned(cudaDeviceMask)) return cudaErrorInvalidValue;
        device_flags = flags;
        return cudaSuccess;
    });
}
cudaError_t api::cudaGetDeviceFlags(unsigned int* flags) {
    return give(flags, device_flags.load() | cudaDeviceMapHost);
}

cudaError_t api::cudaDeviceSynchronize() {
    return call([] {
        if (const cudaError_t refused = refuse_to_wait_for_all(); refused != cudaSuccess) return refused;
        if (observer()) observer()->host_waits_for_device();
        return cudaSuccess;
    });
}

cudaError_t api::cudaDeviceReset() {
    memory_map().clear(current_device());
    forget_arrays();
    forget_peers(current_device());
    destroy_streams(current_device());
    destroy_events(current_device());
    destroy_graphs();
    forget_function_attributes();
    device_flags = cudaDeviceScheduleAuto;
    cache_config = cudaFuncCachePreferNone;
    clear_for_reset();
    return cudaSuccess;
}

std::size_t heap_limit() { return limits[cudaLimitMallocHeapSize]; }

cudaError_t api::cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return call([&] {
        if (const cudaError_t error = check_limit(limit); error != cudaSuccess) return error;
        limits[limit] = value;
        if (limit == cudaLimitStackSize) engine::ask_for_stack(value);
        return cudaSuccess;
    });
}
cudaError_t api::cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    const cudaError_t error = check_limit(limit);
    return error == cudaSuccess ? give(value, limits[limit].load()) : record(error);
}

cudaError_t api::cudaDeviceSetCacheConfig(cudaFuncCache config) {
    return call([&] {
        if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
        cache_config = config;
        return cudaSuccess;
    });
}
cudaError_t api::cudaDeviceGetCacheConfig(cudaFuncCache* config) { return give(config, cache_config.load()); }
cudaError_t api::cudaCtxResetPersistingL2Cache() { return cudaDeviceSynchronize(); }

cudaError_t api::cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return call([&] {
        if (least != nullptr) *least = 0;
        if (greatest != nullptr) *greatest = kGreatestStreamPriority;
        return cudaSuccess;
    });
}

cudaError_t api::cudaDriverGetVersion(int* version) { return give(version, CUDART_VERSION); }
cudaError_t api::cudaRuntimeGetVersion(int* version) { return give(version, CUDART_VERSION); }
cudaError_t api::cudaProfilerStart() { return cudaSuccess; }
cudaError_t api::cudaProfilerStop() { return cudaSuccess; }

}  // namespace lanework_simt
