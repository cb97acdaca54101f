// The device part of the CUDA runtime API: one device, whose multiprocessors and limits are those of the GPU that it
// stands for, so that a program that fits here fits there.
#pragma once

#include <lanework_simt/device_properties.hpp>
#include <lanework_simt/error_codes.hpp>

namespace lanework_simt {
inline namespace api {

enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6,
};

enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3,
};

/// How wide a bank of shared memory is: 4 bytes, on every GPU since 2014.
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2,
};

enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3,
};

#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceBlockingSync 0x04
#define cudaDeviceScheduleMask 0x07
#define cudaDeviceMapHost 0x08
#define cudaDeviceLmemResizeToMax 0x10
#define cudaDeviceSyncMemops 0x80
#define cudaDeviceMask 0xff

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device);

/// Returns the error of the kernel that failed, if one did.
cudaError_t cudaDeviceSynchronize();
/// Frees every allocation, destroys every stream and event, and forgets every error, the sticky one too.
cudaError_t cudaDeviceReset();

// As they were called before CUDA 13. A program may have defined them as macros itself.
#ifndef cudaThreadSynchronize
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
#endif
#ifndef cudaThreadExit
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
#endif

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
template <class Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel*, cudaSharedMemConfig) {
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaCtxResetPersistingL2Cache();

// Peers: a device has none but itself, and is no peer of itself.
cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);

enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4,
};
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer);

cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);

// A profiler's bounds: there is none to tell.
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

}  // namespace api
}  // namespace lanework_simt
