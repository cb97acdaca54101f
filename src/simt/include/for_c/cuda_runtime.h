/* The CUDA runtime's interface for C files of a program: what they share with the host side of its .cu files. Each
   function is the C++ one, by its symbol; kernels, structures of properties, arrays and graphs are for .cu files. */
#ifndef LANEWORK_SIMT_FOR_C_H
#define LANEWORK_SIMT_FOR_C_H

#include <stddef.h>

#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define CUDART_VERSION 13000

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999
} cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;

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
    LANEWORK_SIMT_C("15cudaMemcpyAsyncEPvPKvmNS0_14cudaMemcpyKindEPNS0_11CUstream_stE");
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) LANEWORK_SIMT_C("12cudaMemcpy2DEPvmPKvmmmNS0_14cudaMemcpyKindE");
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) LANEWORK_SIMT_C("10cudaMemsetEPvim");
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream)
    LANEWORK_SIMT_C("15cudaMemsetAsyncEPvimPNS0_11CUstream_stE");

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

cudaError_t cudaStreamCreate(cudaStream_t* stream) LANEWORK_SIMT_C("16cudaStreamCreateEPPNS0_11CUstream_stE");
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags)
    LANEWORK_SIMT_C("25cudaStreamCreateWithFlagsEPPNS0_11CUstream_stEj");
cudaError_t cudaStreamDestroy(cudaStream_t stream) LANEWORK_SIMT_C("17cudaStreamDestroyEPNS0_11CUstream_stE");
cudaError_t cudaStreamSynchronize(cudaStream_t stream) LANEWORK_SIMT_C("21cudaStreamSynchronizeEPNS0_11CUstream_stE");
cudaError_t cudaStreamQuery(cudaStream_t stream) LANEWORK_SIMT_C("15cudaStreamQueryEPNS0_11CUstream_stE");
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
    LANEWORK_SIMT_C("19cudaStreamWaitEventEPNS0_11CUstream_stEPNS0_10CUevent_stEj");
cudaError_t cudaEventCreate(cudaEvent_t* event) LANEWORK_SIMT_C("15cudaEventCreateEPPNS0_10CUevent_stE");
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
    LANEWORK_SIMT_C("24cudaEventCreateWithFlagsEPPNS0_10CUevent_stEj");
cudaError_t cudaEventDestroy(cudaEvent_t event) LANEWORK_SIMT_C("16cudaEventDestroyEPNS0_10CUevent_stE");
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
    LANEWORK_SIMT_C("15cudaEventRecordEPNS0_10CUevent_stEPNS0_11CUstream_stE");
cudaError_t cudaEventQuery(cudaEvent_t event) LANEWORK_SIMT_C("14cudaEventQueryEPNS0_10CUevent_stE");
cudaError_t cudaEventSynchronize(cudaEvent_t event) LANEWORK_SIMT_C("20cudaEventSynchronizeEPNS0_10CUevent_stE");
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end)
    LANEWORK_SIMT_C("20cudaEventElapsedTimeEPfPNS0_10CUevent_stES3_");

#undef LANEWORK_SIMT_C

#endif
