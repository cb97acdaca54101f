/* The CUDA runtime's interface for C files of a program: what they share with the host side of its .cu files. Each
   function is the C++ one, by its symbol; kernels, arrays, textures and graphs are for .cu files. */
#ifndef LANEWORK_SIMT_FOR_C_H
#define LANEWORK_SIMT_FOR_C_H

#include <stddef.h>

#include "../lanework_simt/device_properties.hpp"
#include "../lanework_simt/error_codes.hpp"

#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define CUDART_VERSION 13000

typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};

struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void* devicePointer;
    void* hostPointer;
    long reserved[8];
};

enum cudaLimit { cudaLimitStackSize = 0, cudaLimitPrintfFifoSize = 1, cudaLimitMallocHeapSize = 2 };

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef void (*cudaHostFn_t)(void* data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);

#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02

#define LANEWORK_SIMT_C(symbol) __asm__("_ZN13lanework_simt3api" symbol)

/* Default arguments are for C++: a call names all of them, as in NVIDIA's C interface. */
cudaError_t cudaMalloc(void** pointer, size_t bytes) LANEWORK_SIMT_C("10cudaMallocEPPvm");
cudaError_t lanework_malloc_host(void** pointer, size_t bytes, unsigned flags)
    LANEWORK_SIMT_C("14cudaMallocHostEPPvmj");
#define cudaMallocHost(pointer, bytes) lanework_malloc_host(pointer, bytes, cudaHostAllocDefault)
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) LANEWORK_SIMT_C("13cudaHostAllocEPPvmj");
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags)
    LANEWORK_SIMT_C("17cudaMallocManagedEPPvmj");
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height)
    LANEWORK_SIMT_C("15cudaMallocPitchEPPvPmmm");
cudaError_t cudaFree(void* pointer) LANEWORK_SIMT_C("8cudaFreeEPv");
cudaError_t cudaFreeHost(void* pointer) LANEWORK_SIMT_C("12cudaFreeHostEPv");
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) LANEWORK_SIMT_C("16cudaHostRegisterEPvmj");
cudaError_t cudaHostUnregister(void* pointer) LANEWORK_SIMT_C("18cudaHostUnregisterEPv");
cudaError_t cudaMemGetInfo(size_t* available, size_t* total) LANEWORK_SIMT_C("14cudaMemGetInfoEPmS1_");

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind)
    LANEWORK_SIMT_C("10cudaMemcpyEPvPKvmNS0_14cudaMemcpyKindE");
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
    LANEWORK_SIMT_C("15cudaMemcpyAsyncEPvPKvmNS0_14cudaMemcpyKindEP11CUstream_st");
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) LANEWORK_SIMT_C("12cudaMemcpy2DEPvmPKvmmmNS0_14cudaMemcpyKindE");
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) LANEWORK_SIMT_C("10cudaMemsetEPvim");
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream)
    LANEWORK_SIMT_C("15cudaMemsetAsyncEPvimP11CUstream_st");

cudaError_t cudaGetLastError(void) LANEWORK_SIMT_C("16cudaGetLastErrorEv");
cudaError_t cudaPeekAtLastError(void) LANEWORK_SIMT_C("19cudaPeekAtLastErrorEv");
const char* cudaGetErrorName(cudaError_t error) LANEWORK_SIMT_C("16cudaGetErrorNameENS0_9cudaErrorE");
const char* cudaGetErrorString(cudaError_t error) LANEWORK_SIMT_C("18cudaGetErrorStringENS0_9cudaErrorE");

cudaError_t cudaGetDevice(int* device) LANEWORK_SIMT_C("13cudaGetDeviceEPi");
cudaError_t cudaSetDevice(int device) LANEWORK_SIMT_C("13cudaSetDeviceEi");
cudaError_t cudaGetDeviceCount(int* count) LANEWORK_SIMT_C("18cudaGetDeviceCountEPi");
cudaError_t cudaDeviceSynchronize(void) LANEWORK_SIMT_C("21cudaDeviceSynchronizeEv");
cudaError_t cudaDeviceReset(void) LANEWORK_SIMT_C("15cudaDeviceResetEv");
cudaError_t cudaDriverGetVersion(int* version) LANEWORK_SIMT_C("20cudaDriverGetVersionEPi");
cudaError_t cudaRuntimeGetVersion(int* version) LANEWORK_SIMT_C("21cudaRuntimeGetVersionEPi");

cudaError_t cudaStreamCreate(cudaStream_t* stream) LANEWORK_SIMT_C("16cudaStreamCreateEPP11CUstream_st");
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags)
    LANEWORK_SIMT_C("25cudaStreamCreateWithFlagsEPP11CUstream_stj");
cudaError_t cudaStreamDestroy(cudaStream_t stream) LANEWORK_SIMT_C("17cudaStreamDestroyEP11CUstream_st");
cudaError_t cudaStreamSynchronize(cudaStream_t stream) LANEWORK_SIMT_C("21cudaStreamSynchronizeEP11CUstream_st");
cudaError_t cudaStreamQuery(cudaStream_t stream) LANEWORK_SIMT_C("15cudaStreamQueryEP11CUstream_st");
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
    LANEWORK_SIMT_C("19cudaStreamWaitEventEP11CUstream_stP10CUevent_stj");
cudaError_t cudaEventCreate(cudaEvent_t* event) LANEWORK_SIMT_C("15cudaEventCreateEPP10CUevent_st");
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
    LANEWORK_SIMT_C("24cudaEventCreateWithFlagsEPP10CUevent_stj");
cudaError_t cudaEventDestroy(cudaEvent_t event) LANEWORK_SIMT_C("16cudaEventDestroyEP10CUevent_st");
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
    LANEWORK_SIMT_C("15cudaEventRecordEP10CUevent_stP11CUstream_st");
cudaError_t cudaEventQuery(cudaEvent_t event) LANEWORK_SIMT_C("14cudaEventQueryEP10CUevent_st");
cudaError_t cudaEventSynchronize(cudaEvent_t event) LANEWORK_SIMT_C("20cudaEventSynchronizeEP10CUevent_st");
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end)
    LANEWORK_SIMT_C("20cudaEventElapsedTimeEPfP10CUevent_stS3_");

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device)
    LANEWORK_SIMT_C("23cudaGetDevicePropertiesEPNS0_14cudaDevicePropEi");
cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device)
    LANEWORK_SIMT_C("22cudaDeviceGetAttributeEPiNS0_14cudaDeviceAttrEi");
cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* properties)
    LANEWORK_SIMT_C("16cudaChooseDeviceEPiPKNS0_14cudaDevicePropE");
cudaError_t cudaSetDeviceFlags(unsigned flags) LANEWORK_SIMT_C("18cudaSetDeviceFlagsEj");
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
    LANEWORK_SIMT_C("18cudaDeviceSetLimitENS0_9cudaLimitEm");
cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit)
    LANEWORK_SIMT_C("18cudaDeviceGetLimitEPmNS0_9cudaLimitE");
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) LANEWORK_SIMT_C("23cudaDeviceCanAccessPeerEPiii");
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
    LANEWORK_SIMT_C("32cudaDeviceGetStreamPriorityRangeEPiS1_");

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream)
    LANEWORK_SIMT_C("15cudaMallocAsyncEPPvmP11CUstream_st");
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) LANEWORK_SIMT_C("13cudaFreeAsyncEPvP11CUstream_st");
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags)
    LANEWORK_SIMT_C("24cudaHostGetDevicePointerEPPvS1_j");
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer)
    LANEWORK_SIMT_C("24cudaPointerGetAttributesEPNS0_21cudaPointerAttributesEPKv");
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
    LANEWORK_SIMT_C("17cudaMemcpy2DAsyncEPvmPKvmmmNS0_14cudaMemcpyKindEP11CUstream_st");
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height)
    LANEWORK_SIMT_C("12cudaMemset2DEPvmimm");
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes)
    LANEWORK_SIMT_C("14cudaMemcpyPeerEPviPKvim");

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority)
    LANEWORK_SIMT_C("28cudaStreamCreateWithPriorityEPP11CUstream_stji");
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data)
    LANEWORK_SIMT_C("18cudaLaunchHostFuncEP11CUstream_stPFvPvES3_");
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags)
    LANEWORK_SIMT_C("21cudaStreamAddCallbackEP11CUstream_stPFvS2_NS0_9cudaErrorEPvES4_j");
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
    LANEWORK_SIMT_C("24cudaEventRecordWithFlagsEP10CUevent_stP11CUstream_stj");

#undef LANEWORK_SIMT_C

#endif
