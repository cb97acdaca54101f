// What libcu++'s streams, events and devices, and through them CUB's functions for the whole device, ask of the driver
// (since CCCL 3.1). Functions of the runtime answer here: a device has one context, its own. What else libcu++ has from
// the driver stays unknown by name: memory pools, kernels of a module, green contexts.
#pragma once

#include <cuda.h>
#include <cuda/std/__exception/cuda_error.h>
#include <cuda/std/detail/__config>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#ifdef _LIBCUDACXX_BEGIN_NAMESPACE_CUDA_DRIVER
_LIBCUDACXX_BEGIN_NAMESPACE_CUDA_DRIVER
#else  // since CCCL 3.2
#include <cuda/std/__cccl/prologue.h>
_CCCL_BEGIN_NAMESPACE_CUDA_DRIVER
#endif

inline void __lanework_check(::cudaError_t __status, const char* __what) {
    if (__status != ::cudaSuccess) throw ::cuda::cuda_error(__status, __what);
}

// -- devices ----------------------------------------------------------------------------------------------------------

inline int __cudevice_to_ordinal(::CUdevice __device) noexcept { return __device; }

inline ::CUdevice __deviceGet(int __ordinal) { return __ordinal; }

inline int __deviceGetCount() {
    int __count = 0;
    __lanework_check(::cudaGetDeviceCount(&__count), "cudaGetDeviceCount");
    return __count;
}

inline int __deviceGetAttribute(::CUdevice_attribute __which, ::CUdevice __device) {
    int __value = 0;
    __lanework_check(::cudaDeviceGetAttribute(&__value, __which, __device), "cudaDeviceGetAttribute");
    return __value;
}

/// At most `__length` bytes, the end among them.
inline void __deviceGetName(char* __name, int __length, int __ordinal) {
    ::cudaDeviceProp __properties;
    __lanework_check(::cudaGetDeviceProperties(&__properties, __ordinal), "cudaGetDeviceProperties");
    ::std::snprintf(__name, static_cast<::std::size_t>(__length), "%s", __properties.name);
}

inline bool __deviceCanAccessPeer(::CUdevice __device, ::CUdevice __peer) {
    int __can = 0;
    __lanework_check(::cudaDeviceCanAccessPeer(&__can, __device, __peer), "cudaDeviceCanAccessPeer");
    return __can != 0;
}

// -- contexts: the device's number, counted from 1 --------------------------------------------------------------------

inline ::CUcontext __primaryCtxRetain(::CUdevice __device) {
    return reinterpret_cast<::CUcontext>(static_cast<::std::intptr_t>(__device) + 1);
}
inline ::cudaError_t __primaryCtxReleaseNoThrow(::CUdevice) noexcept { return ::cudaSuccess; }
inline ::CUdevice __lanework_device_of(::CUcontext __context) {
    return static_cast<::CUdevice>(reinterpret_cast<::std::intptr_t>(__context) - 1);
}

inline ::CUdevice __ctxGetDevice() {
    int __device = 0;
    __lanework_check(::cudaGetDevice(&__device), "cudaGetDevice");
    return __device;
}
inline ::CUcontext __ctxGetCurrent() { return __primaryCtxRetain(__ctxGetDevice()); }

/// The devices that were the thread's current ones before those pushed.
inline thread_local ::std::vector<::CUdevice> __lanework_pushed;

inline void __ctxPush(::CUcontext __context) {
    const ::CUdevice __before = __ctxGetDevice();
    __lanework_check(::cudaSetDevice(__lanework_device_of(__context)), "cudaSetDevice");
    __lanework_pushed.push_back(__before);
}
inline ::CUcontext __ctxPop() {
    __lanework_check(__lanework_pushed.empty() ? ::cudaErrorDeviceUninitialized : ::cudaSuccess,
                     "no context was pushed");
    const ::CUcontext __popped = __ctxGetCurrent();
    __lanework_check(::cudaSetDevice(__lanework_pushed.back()), "cudaSetDevice");
    __lanework_pushed.pop_back();
    return __popped;
}

// -- streams ----------------------------------------------------------------------------------------------------------

inline ::CUstream __streamCreateWithPriority(unsigned __flags, int __priority) {
    ::CUstream __stream = nullptr;
    __lanework_check(::cudaStreamCreateWithPriority(&__stream, __flags, __priority), "cudaStreamCreateWithPriority");
    return __stream;
}
inline ::cudaError_t __streamDestroyNoThrow(::CUstream __stream) { return ::cudaStreamDestroy(__stream); }

inline ::cudaError_t __streamSynchronizeNoThrow(::CUstream __stream) { return ::cudaStreamSynchronize(__stream); }
inline void __streamSynchronize(::CUstream __stream) {
    __lanework_check(::cudaStreamSynchronize(__stream), "cudaStreamSynchronize");
}
inline ::cudaError_t __streamQueryNoThrow(::CUstream __stream) { return ::cudaStreamQuery(__stream); }

inline ::CUdevice __streamGetDevice(::CUstream __stream) {
    int __device = 0;
    __lanework_check(::cudaStreamGetDevice(__stream, &__device), "cudaStreamGetDevice");
    return __device;
}
inline ::CUcontext __streamGetCtx(::CUstream __stream) { return __primaryCtxRetain(__streamGetDevice(__stream)); }

inline int __streamGetPriority(::CUstream __stream) {
    int __priority = 0;
    __lanework_check(::cudaStreamGetPriority(__stream, &__priority), "cudaStreamGetPriority");
    return __priority;
}
inline unsigned long long __streamGetId(::CUstream __stream) {
    unsigned long long __id = 0;
    __lanework_check(::cudaStreamGetId(__stream, &__id), "cudaStreamGetId");
    return __id;
}
inline void __streamWaitEvent(::CUstream __stream, ::CUevent __event) {
    __lanework_check(::cudaStreamWaitEvent(__stream, __event), "cudaStreamWaitEvent");
}

// -- events -----------------------------------------------------------------------------------------------------------

inline ::CUevent __eventCreate(unsigned __flags) {
    ::CUevent __event = nullptr;
    __lanework_check(::cudaEventCreateWithFlags(&__event, __flags), "cudaEventCreateWithFlags");
    return __event;
}
inline ::cudaError_t __eventDestroyNoThrow(::CUevent __event) { return ::cudaEventDestroy(__event); }
inline ::cudaError_t __eventQueryNoThrow(::CUevent __event) { return ::cudaEventQuery(__event); }
inline void __eventRecord(::CUevent __event, ::CUstream __stream) {
    __lanework_check(::cudaEventRecord(__event, __stream), "cudaEventRecord");
}
inline void __eventSynchronize(::CUevent __event) {
    __lanework_check(::cudaEventSynchronize(__event), "cudaEventSynchronize");
}
/// In milliseconds.
inline float __eventElapsedTime(::CUevent __start, ::CUevent __end) {
    float __time = 0;
    __lanework_check(::cudaEventElapsedTime(&__time, __start, __end), "cudaEventElapsedTime");
    return __time;
}

#ifdef _LIBCUDACXX_END_NAMESPACE_CUDA_DRIVER
_LIBCUDACXX_END_NAMESPACE_CUDA_DRIVER
#else
_CCCL_END_NAMESPACE_CUDA_DRIVER
#include <cuda/std/__cccl/epilogue.h>
#endif
