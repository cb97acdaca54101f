// Allocation: device, pinned, managed and pitched memory, and host memory that is registered.
#include <lanework_simt/library_memory.hpp>
#include <limits>

#include "src/simt/api_capture.hpp"
#include "src/simt/api_graph_memory.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/observer.hpp"

namespace lanework_simt {
inline namespace api {
namespace {

constexpr std::size_t kPitchAlignment = 512;
constexpr unsigned kHostAllocFlags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned kRegisterFlags =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

cudaError_t take(void** pointer, std::size_t bytes, Origin origin, unsigned flags = 0, int device = current_device()) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    *pointer = memory_map().allocate(bytes, origin, flags, device);
    return *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t allocate(void** pointer, std::size_t bytes, Origin origin, unsigned flags = 0) {
    const cudaError_t refused = refuse_to_allocate();
    return refused == cudaSuccess ? take(pointer, bytes, origin, flags) : refused;
}

cudaError_t refuse_to_free(const void* pointer) {
    if (observer()) observer()->free_refused(pointer);
    return cudaErrorInvalidValue;
}

cudaError_t free_device(void* pointer) {
    if (pointer == nullptr) return cudaSuccess;
    if (is_graph_memory(pointer)) return free_graph_memory(pointer);
    const bool freed = memory_map().release(pointer, Origin::device) ||
                       memory_map().release(pointer, Origin::managed) || memory_map().release(pointer, Origin::library);
    return freed ? cudaSuccess : refuse_to_free(pointer);
}

/// A captured allocation is a node of the graph: the address is known now, the memory is in use from the node on.
cudaError_t allocate_in_graph(void** pointer, std::size_t bytes, cudaStream_t stream) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = bytes == 0 ? nullptr : reserve_for_graph(bytes);
    if (*pointer == nullptr) return bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
    keep_step(stream, [memory = *pointer] { return use_graph_memory(memory); });
    return cudaSuccess;
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    return call([&] { return allocate(pointer, bytes, Origin::device); });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return call([&] {
        if (!stream_exists(stream)) return cudaErrorInvalidResourceHandle;
        if (capturing(stream)) return allocate_in_graph(pointer, bytes, stream);
        const cudaError_t error = take(pointer, bytes, Origin::device, 0, device_of_pool(stream));
        if (error == cudaSuccess && *pointer != nullptr) note_pool_memory(*pointer, bytes);
        return error;
    });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned int flags) {
    return cudaHostAlloc(pointer, bytes, flags);
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
    return call([&] {
        return flags & ~kHostAllocFlags ? cudaErrorInvalidValue : allocate(pointer, bytes, Origin::host, flags);
    });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
    return call([&] {
        const bool good_flags = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost;
        return !good_flags ? cudaErrorInvalidValue : allocate(pointer, bytes, Origin::managed, flags);
    });
}

cudaError_t allocate_for_library(void** pointer, std::size_t bytes) {
    return call([&] { return allocate(pointer, bytes, Origin::library); });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    return call([&] {
        if (pointer == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
        constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
        if (width > kMost - kPitchAlignment) return cudaErrorMemoryAllocation;
        *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
        if (height != 0 && *pitch > kMost / height) return cudaErrorMemoryAllocation;
        return allocate(pointer, *pitch * height, Origin::device);
    });
}

// Memory is given back even after a kernel failed, so that owners can clean up; the error is still the kernel's.
cudaError_t cudaFree(void* pointer) { return record(free_device(pointer)); }

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    if (!stream_exists(stream)) return record(cudaErrorInvalidResourceHandle);
    if (capturing(stream)) {
        keep_step(stream, [pointer] { return free_device(pointer); });
        return record(cudaSuccess);
    }
    return record(free_device(pointer));
}

cudaError_t cudaFreeHost(void* pointer) {
    const bool freed = pointer == nullptr || memory_map().release(pointer, Origin::host);
    return record(freed ? cudaSuccess : refuse_to_free(pointer));
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
    return call([&] {
        if (pointer == nullptr || bytes == 0 || flags & ~kRegisterFlags) return cudaErrorInvalidValue;
        return memory_map().add(pointer, bytes, Origin::registered, flags) ? cudaSuccess
                                                                           : cudaErrorHostMemoryAlreadyRegistered;
    });
}

cudaError_t cudaHostUnregister(void* pointer) {
    if (pointer == nullptr) return record(cudaErrorInvalidValue);
    const bool known = memory_map().release(pointer, Origin::registered);
    return record(known ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
    return call([&] {
        if (device == nullptr || host == nullptr || flags != 0) return cudaErrorInvalidValue;
        const auto range = memory_map().find(host);
        if (!range || range->device_only()) return cudaErrorInvalidValue;
        *device = host;
        return cudaSuccess;
    });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
    return call([&] {
        const auto range = memory_map().find(host);
        const bool pinned = range && (range->origin == Origin::host || range->origin == Origin::registered);
        if (flags == nullptr || !pinned) return cudaErrorInvalidValue;
        *flags = range->flags | cudaHostAllocMapped;  // with one address space, all of it is mapped
        return cudaSuccess;
    });
}

}  // namespace api
}  // namespace lanework_simt
