// Streams, and host functions in them.
#include <algorithm>
#include <atomic>
#include <lanework_simt/device.hpp>
#include <lanework_simt/launch.hpp>
#include <lanework_simt/stream.hpp>

#include "src/simt/api_capture.hpp"
#include "src/simt/devices.hpp"
#include "src/simt/observer.hpp"

struct CUstream_st {
    unsigned flags;
    unsigned long long id;
    int device, priority;
};

namespace lanework_simt {

namespace {

Handles<CUstream_st>& streams() {
    static auto* live = new Handles<CUstream_st>;  // never destroyed: see memory_map()
    return *live;
}

bool is_default(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

cudaError_t create(cudaStream_t* stream, unsigned flags, int priority) {
    static std::atomic<unsigned long long> next_id{3};  // the default streams have the first numbers
    if (stream == nullptr || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking))
        return cudaErrorInvalidValue;
    const int within = std::clamp(priority, kGreatestStreamPriority, 0);
    *stream = streams().create(CUstream_st{flags, next_id++, current_device(), within});
    return cudaSuccess;
}

template <class Work>
cudaError_t call_on(cudaStream_t stream, Work&& work) {
    return call([&] { return stream_exists(stream) ? work() : cudaErrorInvalidResourceHandle; });
}

template <class T>
cudaError_t answer(cudaStream_t stream, T* result, T value_of_default, T CUstream_st::*member) {
    return call_on(stream, [&] {
        if (result == nullptr) return cudaErrorInvalidValue;
        *result = is_default(stream) ? value_of_default : stream->*member;
        return cudaSuccess;
    });
}

/// From the start of a program that can create streams, launches are held to those of their device that exist.
[[maybe_unused]] const bool launches_check_streams = [] {
    set_stream_check([](const void* pointer) {
        auto* const stream = static_cast<cudaStream_t>(const_cast<void*>(pointer));
        return stream_exists(stream) && device_of(stream) == current_device();
    });
    return true;
}();

}  // namespace

bool stream_exists(cudaStream_t stream) { return is_default(stream) || streams().exists(stream); }

int device_of(cudaStream_t stream) { return is_default(stream) ? current_device() : stream->device; }

void destroy_streams(int device) { streams().clear_of(device); }

cudaError_t api::cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t api::cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t api::cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
    return call([&] { return create(stream, flags, priority); });
}

cudaError_t api::cudaStreamDestroy(cudaStream_t stream) {
    return record(streams().destroy(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t api::cudaStreamSynchronize(cudaStream_t stream) {
    return call_on(stream, [&] {
        if (capturing(stream)) return refuse_to_wait(stream);
        if (observer()) observer()->host_waits_for_stream(stream);
        return cudaSuccess;
    });
}
cudaError_t api::cudaStreamQuery(cudaStream_t stream) {
    return call_on(stream, [&] {
        if (capturing(stream)) return refuse_to_wait(stream);
        if (observer()) observer()->host_may_know();
        return cudaSuccess;
    });
}

cudaError_t api::cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    return answer(stream, priority, 0, &CUstream_st::priority);
}
cudaError_t api::cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
    return answer(stream, flags, unsigned(cudaStreamDefault), &CUstream_st::flags);
}
cudaError_t api::cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    return answer(stream, id, stream == cudaStreamPerThread ? 2ull : 1ull, &CUstream_st::id);
}
cudaError_t api::cudaStreamGetDevice(cudaStream_t stream, int* device) {
    return call_on(stream, [&] {
        if (device == nullptr) return cudaErrorInvalidValue;
        *device = device_of(stream);
        return cudaSuccess;
    });
}
cudaError_t api::cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t, unsigned int) {
    return call_on(stream, [&] { return pointer == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}

cudaError_t api::cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return submit(stream, [=] {
        if (function == nullptr) return cudaErrorInvalidValue;
        if (observer()) observer()->host_may_know();
        function(data);
        return cudaSuccess;
    });
}

cudaError_t api::cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                       unsigned int flags) {
    return call_on(stream, [&] {
        if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
        if (observer()) observer()->host_may_know();
        callback(stream, cudaSuccess, data);
        return cudaSuccess;
    });
}

}  // namespace lanework_simt
