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

namespace lanework_simt {

struct api::CUmemPoolHandle_st {
    std::array<std::uint64_t, cudaMemPoolAttrUsedMemHigh + 1> values{};
    std::map<std::byte*, std::size_t> taken;
    std::size_t most = 0;
};

namespace {

std::mutex mutex;
CUmemPoolHandle_st default_pool;
cudaMemPool_t current = &default_pool;
/// What the calling thread takes memory from instead.
thread_local cudaMemPool_t named = nullptr;

Handles<CUmemPoolHandle_st>& pools() {
    static Handles<CUmemPoolHandle_st> all;
    return all;
}

bool is_pool(cudaMemPool_t pool) { return pool == &default_pool || (pool != nullptr && pools().exists(pool)); }

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
    CUmemPoolHandle_st& pool = named ? *named : *current;
    pool.taken[static_cast<std::byte*>(pointer)] = bytes;
    pool.most = std::max<std::size_t>(pool.most, used(pool));
}

inline namespace api {

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    return call([&] {
        if (pool == nullptr || properties == nullptr || properties->allocType != cudaMemAllocationTypePinned)
            return cudaErrorInvalidValue;
        if (properties->handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
        *pool = pools().create();
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return call([&] {
        const std::lock_guard lock(mutex);
        if (current == pool) current = &default_pool;
        return pools().destroy(pool) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return call([&] {
        if (pool == nullptr) return cudaErrorInvalidValue;
        if (device != 0) return cudaErrorInvalidDevice;
        *pool = &default_pool;
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return call([&] {
        if (pool == nullptr) return cudaErrorInvalidValue;
        if (device != 0) return cudaErrorInvalidDevice;
        const std::lock_guard lock(mutex);
        *pool = current;
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return call([&] {
        if (device != 0) return cudaErrorInvalidDevice;
        if (!is_pool(pool)) return cudaErrorInvalidValue;
        const std::lock_guard lock(mutex);
        current = pool;
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

// There is one device, which may always use its memory; no other can be given access.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count) {
    return call([&] {
        if (!is_pool(pool) || (access == nullptr && count != 0)) return cudaErrorInvalidValue;
        for (size_t i = 0; i < count; ++i) {
            if (access[i].location.type != cudaMemLocationTypeDevice || access[i].location.id != 0)
                return cudaErrorInvalidDevice;
            if (access[i].flags == cudaMemAccessFlagsProtNone) return cudaErrorInvalidValue;
        }
        return cudaSuccess;
    });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
    return call([&] {
        if (!is_pool(pool) || flags == nullptr || location == nullptr) return cudaErrorInvalidValue;
        if (location->type != cudaMemLocationTypeDevice || location->id != 0) return cudaErrorInvalidDevice;
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
