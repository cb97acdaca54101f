// Questions about memory, and advice on managed memory.
#include "src/simt/api_call.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/observer.hpp"

namespace lanework_simt {
inline namespace api {
namespace {

cudaMemoryType type_of(Origin origin) {
    switch (origin) {
        case Origin::host:
        case Origin::registered: return cudaMemoryTypeHost;
        case Origin::managed: return cudaMemoryTypeManaged;
        default: return cudaMemoryTypeDevice;
    }
}

cudaPointerAttributes describe(const Allocation& range, void* pointer) {
    cudaPointerAttributes attributes{};
    attributes.type = type_of(range.origin);
    attributes.device = range.device;
    attributes.devicePointer = pointer;
    attributes.hostPointer = range.device_only() ? nullptr : pointer;
    return attributes;
}

cudaError_t check_location(cudaMemLocation location) {
    switch (location.type) {
        case cudaMemLocationTypeDevice: return device_exists(location.id) ? cudaSuccess : cudaErrorInvalidDevice;
        case cudaMemLocationTypeHost:
        case cudaMemLocationTypeHostNuma:
        case cudaMemLocationTypeHostNumaCurrent: return cudaSuccess;
        default: return cudaErrorInvalidValue;
    }
}

cudaMemLocation location_of(int device) {
    return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device};
}

cudaError_t check_managed(const void* pointer, std::size_t bytes) {
    const auto range = memory_map().find(pointer);
    const bool good = range && range->origin == Origin::managed && bytes != 0 && range->contains(pointer, bytes);
    return good ? cudaSuccess : cudaErrorInvalidValue;
}

bool advice_needs_location(cudaMemoryAdvise advice) {
    return advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy ||
           advice == cudaMemAdviseUnsetAccessedBy;
}

}  // namespace

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    return call([&] {
        if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
        *free = memory_map().available(current_device());
        *total = memory_map().total();
        return cudaSuccess;
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return call([&] {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        if (const auto range = memory_map().find(pointer)) {
            *attributes = describe(*range, const_cast<void*>(pointer));
        } else {
            *attributes = {};
            attributes->device = cudaInvalidDeviceId;
            attributes->hostPointer = const_cast<void*>(pointer);
        }
        return cudaSuccess;
    });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location, unsigned int flags,
                                 cudaStream_t stream) {
    return call([&] {
        if (!stream_exists(stream)) return cudaErrorInvalidResourceHandle;
        if (flags != 0) return cudaErrorInvalidValue;
        if (const cudaError_t error = check_location(location); error != cudaSuccess) return error;
        if (const cudaError_t error = check_managed(pointer, bytes); error != cudaSuccess) return error;
        using Way = StreamCopy::Way;
        const Way way = location.type == cudaMemLocationTypeDevice ? Way::upload : Way::download;
        if (observer()) observer()->copied({way, bytes, false, stream, false, true, pointer, pointer, bytes, true});
        return cudaSuccess;
    });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
    return call([&] {
        if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
        if (advice_needs_location(advice) && check_location(location) != cudaSuccess) return cudaErrorInvalidValue;
        if (const cudaError_t error = check_managed(pointer, bytes); error != cudaSuccess) return error;
        const bool read_mostly = advice == cudaMemAdviseSetReadMostly;
        if (observer() && (read_mostly || advice == cudaMemAdviseUnsetReadMostly))
            observer()->read_mostly(pointer, bytes, read_mostly);
        return cudaSuccess;
    });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream) {
    return cudaMemPrefetchAsync(pointer, bytes, location_of(device), 0, stream);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(pointer, bytes, advice, location_of(device));
}

}  // namespace api
}  // namespace lanework_simt
