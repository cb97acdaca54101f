// Memory pools: which pool memory was taken from, how much of it is in use, and who may use it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <lanework_simt/memory_pools.hpp>
#include <map>
#include <mutex>

#include "src/simt/api_call.hpp"
#include "src/simt/api_capture.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/devices.hpp"

namespace lanework_simt {

struct api::CUmemPoolHandle_st {
    std::array<std::uint64_t, cudaMemPoolAttrUsedMemHigh + 1> values{};
    std::map<std::byte*, std::size_t> taken;
    std::size_t most = 0;
    int device = 0;
};

namespace {

std::mutex mutex;
/// By device.
std::array<CUmemPoolHandle_st, kMostDevices> default_pools;
/// What each device takes memory from; null: its default.
std::array<cudaMemPool_t, kMostDevices> currents{};
/// What the calling thread takes memory from instead.
thread_local cudaMemPool_t named = nullptr;

Handles<CUmemPoolHandle_st>& pools() {
    static Handles<CUmemPoolHandle_st> all;
    return all;
}

cudaMemPool_t default_pool(int device) {
    default_pools[std::size_t(device)].device = device;
    return &default_pools[std::size_t(device)];
}
cudaMemPool_t current_pool(int device) {
    const cudaMemPool_t chosen = currents[std::size_t(device)];
    return chosen ? chosen : default_pool(device);
}

bool is_pool(cudaMemPool_t pool) {
    const bool is_default =
        std::any_of(default_pools.begin(), default_pools.end(), [&](const auto& each) { return pool == &each; });
    return is_default || (pool != nullptr && pools().exists(pool));
}

/// Bytes of the pool that nobody freed.
std::uint64_t used(CUmemPoolHandle_st& pool) {
    std::uint64_t bytes = 0;
    for (auto each = pool.taken.begin(); each != pool.taken.end();) {
        const auto range = memory_map().find(each->first);
        const bool there = range && range->base == each->first && range->bytes >= each->second;
        if (there) bytes += each->second;
        each = there ? std::next(each) : pool.taken.erase(each);
    }
    return bytes;
}

bool is_count(cudaMemPoolAttr attribute) { return attribute >= cudaMemPoolAttrReleaseThreshold; }
bool is_measured(cudaMemPoolAttr attribute) { return attribute >= cudaMemPoolAttrReservedMemCurrent; }
bool good_call(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void* value) {
    return is_pool(pool) && value != nullptr && attribute >= cudaMemPoolReuseFollowEventDependencies &&
           attribute <= cudaMemPoolAttrUsedMemHigh;
}

}  // namespace

void note_pool_memory(void* pointer, std::size_t bytes) {
    const std::lock_guard lock(mutex);
    const auto range = memory_map().find(pointer);
    CUmemPoolHandle_st& pool = named ? *named : *current_pool(range ? range->device : current_device());
    pool.taken[static_cast<std::byte*>(pointer)] = bytes;
    pool.most = std::max<std::size_t>(pool.most, used(pool));
}

int device_of_pool(cudaStream_t stream) { return named ? named->device : device_of(stream); }

inline namespace api {

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    return call([&] {
        if (pool == nullptr || properties == nullptr || properties->allocType != cudaMemAllocationTypePinned)
            return cudaErrorInvalidValue;
        if (properties->handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
        const cudaMemLocation& location = properties->location;
        if (location.type == cudaMemLocationTypeDevice && !device_exists(location.id)) return cudaErrorInvalidDevice;
        *pool = pools().create();
        (*pool)->device = location.type == cudaMemLocationTypeDevice ? location.id : 0;
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return call([&] {
        const std::lock_guard lock(mutex);
        std::replace(currents.begin(), currents.end(), pool, cudaMemPool_t(nullptr));
        return pools().destroy(pool) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return call([&] {
        if (pool == nullptr) return cudaErrorInvalidValue;
        if (!device_exists(device)) return cudaErrorInvalidDevice;
        *pool = default_pool(device);
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return call([&] {
        if (pool == nullptr) return cudaErrorInvalidValue;
        if (!device_exists(device)) return cudaErrorInvalidDevice;
        const std::lock_guard lock(mutex);
        *pool = current_pool(device);
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return call([&] {
        if (!device_exists(device)) return cudaErrorInvalidDevice;
        if (!is_pool(pool)) return cudaErrorInvalidValue;
        const std::lock_guard lock(mutex);
        currents[std::size_t(device)] = pool;
        return cudaSuccess;
    });
}

// Counts of bytes are 64 bits wide; the others are ints. Of a measured high the program may only begin anew.
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return call([&] {
        if (!good_call(pool, attribute, value)) return cudaErrorInvalidValue;
        const std::uint64_t given = is_count(attribute) ? *static_cast<const std::uint64_t*>(value)
                                                        : std::uint64_t(*static_cast<const int*>(value));
        const std::lock_guard lock(mutex);
        if (!is_measured(attribute))
            pool->values[attribute] = given;
        else if (given != 0 || attribute == cudaMemPoolAttrReservedMemCurrent ||
                 attribute == cudaMemPoolAttrUsedMemCurrent)
            return cudaErrorInvalidValue;
        else
            pool->most = used(*pool);
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return call([&] {
        if (!good_call(pool, attribute, value)) return cudaErrorInvalidValue;
        const std::lock_guard lock(mutex);
        const bool high = attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
        if (!is_count(attribute))
            *static_cast<int*>(value) = int(pool->values[attribute]);
        else
            *static_cast<std::uint64_t*>(value) = !is_measured(attribute) ? pool->values[attribute]
                                                  : high                  ? pool->most
                                                                          : used(*pool);
        return cudaSuccess;
    });
}

// Each device may use the memory of every pool.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count) {
    return call([&] {
        if (!is_pool(pool) || (access == nullptr && count != 0)) return cudaErrorInvalidValue;
        for (size_t i = 0; i < count; ++i) {
            if (access[i].location.type != cudaMemLocationTypeDevice || !device_exists(access[i].location.id))
                return cudaErrorInvalidDevice;
            const bool own = access[i].location.id == pool->device;
            if (own && access[i].flags == cudaMemAccessFlagsProtNone) return cudaErrorInvalidValue;
        }
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
    return call([&] {
        if (!is_pool(pool) || flags == nullptr || location == nullptr) return cudaErrorInvalidValue;
        if (location->type != cudaMemLocationTypeDevice || !device_exists(location->id)) return cudaErrorInvalidDevice;
        *flags = cudaMemAccessFlagsProtReadWrite;
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
    return call([&] { return is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    if (!is_pool(pool)) return record(cudaErrorInvalidValue);
    named = pool;
    const cudaError_t error = cudaMallocAsync(pointer, bytes, stream);
    named = nullptr;
    return error;
}

}  // namespace api
}  // namespace lanework_simt
