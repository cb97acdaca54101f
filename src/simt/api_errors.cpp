// The words for CUDA's error codes, as programs print and compare them.
#include <lanework_simt/error_codes.hpp>

namespace lanework_simt {
inline namespace api {
namespace {

struct Entry {
    cudaError code;
    const char* name;
    const char* text;
};

#define LANEWORK_SIMT_ERROR(code, text) \
    Entry { code, #code, text }

constexpr Entry kErrors[] = {
    LANEWORK_SIMT_ERROR(cudaSuccess, "no error"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidValue, "invalid argument"),
    LANEWORK_SIMT_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    LANEWORK_SIMT_ERROR(cudaErrorInitializationError, "initialization error"),
    LANEWORK_SIMT_ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    LANEWORK_SIMT_ERROR(cudaErrorProfilerDisabled, "profiler disabled while using external profiling tool"),
    LANEWORK_SIMT_ERROR(cudaErrorProfilerNotInitialized, "profiler not initialized: call cudaProfilerInitialize()"),
    LANEWORK_SIMT_ERROR(cudaErrorProfilerAlreadyStarted, "profiler already started"),
    LANEWORK_SIMT_ERROR(cudaErrorProfilerAlreadyStopped, "profiler already stopped"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    LANEWORK_SIMT_ERROR(cudaErrorAddressOfConstant, "invalid address of constant"),
    LANEWORK_SIMT_ERROR(cudaErrorTextureFetchFailed, "fetch from texture failed"),
    LANEWORK_SIMT_ERROR(cudaErrorTextureNotBound, "cannot fetch from a texture that is not bound"),
    LANEWORK_SIMT_ERROR(cudaErrorSynchronizationError, "incorrect use of __syncthreads()"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidFilterSetting, "linear filtering not supported for non-float type"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidNormSetting, "read as normalized float not supported for data type"),
    LANEWORK_SIMT_ERROR(cudaErrorMixedDeviceExecution,
                        "device emulation mode and device execution mode cannot be mixed"),
    LANEWORK_SIMT_ERROR(cudaErrorNotYetImplemented, "feature not yet implemented"),
    LANEWORK_SIMT_ERROR(cudaErrorMemoryValueTooLarge, "memory size or pointer value too large to fit in 32 bit"),
    LANEWORK_SIMT_ERROR(cudaErrorStubLibrary, "CUDA driver is a stub library"),
    LANEWORK_SIMT_ERROR(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    LANEWORK_SIMT_ERROR(cudaErrorCallRequiresNewerDriver, "API call is not supported in the installed CUDA driver"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidSurface, "invalid surface reference"),
    LANEWORK_SIMT_ERROR(cudaErrorDuplicateVariableName, "duplicate global variable looked up by string name"),
    LANEWORK_SIMT_ERROR(cudaErrorDuplicateTextureName, "duplicate texture looked up by string name"),
    LANEWORK_SIMT_ERROR(cudaErrorDuplicateSurfaceName, "duplicate surface looked up by string name"),
    LANEWORK_SIMT_ERROR(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    LANEWORK_SIMT_ERROR(cudaErrorIncompatibleDriverContext, "incompatible driver context"),
    LANEWORK_SIMT_ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    LANEWORK_SIMT_ERROR(cudaErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    LANEWORK_SIMT_ERROR(cudaErrorLaunchMaxDepthExceeded, "launch would exceed maximum depth of nested launches"),
    LANEWORK_SIMT_ERROR(
        cudaErrorLaunchFileScopedTex,
        "launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)"),
    LANEWORK_SIMT_ERROR(
        cudaErrorLaunchFileScopedSurf,
        "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)"),
    LANEWORK_SIMT_ERROR(
        cudaErrorSyncDepthExceeded,
        "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth"),
    LANEWORK_SIMT_ERROR(cudaErrorLaunchPendingCountExceeded,
                        "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    LANEWORK_SIMT_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    LANEWORK_SIMT_ERROR(cudaErrorDeviceNotLicensed, "device doesn't have valid Grid license"),
    LANEWORK_SIMT_ERROR(cudaErrorSoftwareValidityNotEstablished, "integrity checks failed"),
    LANEWORK_SIMT_ERROR(cudaErrorStartupFailure, "startup failure in cuda runtime"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    LANEWORK_SIMT_ERROR(cudaErrorDeviceUninitialized, "invalid device context"),
    LANEWORK_SIMT_ERROR(cudaErrorMapBufferObjectFailed, "mapping of buffer object failed"),
    LANEWORK_SIMT_ERROR(cudaErrorUnmapBufferObjectFailed, "unmapping of buffer object failed"),
    LANEWORK_SIMT_ERROR(cudaErrorArrayIsMapped, "array is mapped"),
    LANEWORK_SIMT_ERROR(cudaErrorAlreadyMapped, "resource already mapped"),
    LANEWORK_SIMT_ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    LANEWORK_SIMT_ERROR(cudaErrorAlreadyAcquired, "resource already acquired"),
    LANEWORK_SIMT_ERROR(cudaErrorNotMapped, "resource not mapped"),
    LANEWORK_SIMT_ERROR(cudaErrorNotMappedAsArray, "resource not mapped as array"),
    LANEWORK_SIMT_ERROR(cudaErrorNotMappedAsPointer, "resource not mapped as pointer"),
    LANEWORK_SIMT_ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    LANEWORK_SIMT_ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    LANEWORK_SIMT_ERROR(cudaErrorDeviceAlreadyInUse, "exclusive-thread device already in use by a different thread"),
    LANEWORK_SIMT_ERROR(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    LANEWORK_SIMT_ERROR(cudaErrorNvlinkUncorrectable, "uncorrectable NVLink error detected during the execution"),
    LANEWORK_SIMT_ERROR(cudaErrorJitCompilerNotFound, "PTX JIT compiler library not found"),
    LANEWORK_SIMT_ERROR(cudaErrorUnsupportedPtxVersion, "the provided PTX was compiled with an unsupported toolchain."),
    LANEWORK_SIMT_ERROR(cudaErrorJitCompilationDisabled, "PTX JIT compilation was disabled"),
    LANEWORK_SIMT_ERROR(cudaErrorUnsupportedExecAffinity, "the provided execution affinity is not supported"),
    LANEWORK_SIMT_ERROR(cudaErrorUnsupportedDevSideSync,
                        "the provided PTX contains unsupported call to cudaDeviceSynchronize"),
    LANEWORK_SIMT_ERROR(cudaErrorContained, "Invalid access of peer GPU memory over nvlink or a hardware error"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidSource, "device kernel image is invalid"),
    LANEWORK_SIMT_ERROR(cudaErrorFileNotFound, "file not found"),
    LANEWORK_SIMT_ERROR(cudaErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    LANEWORK_SIMT_ERROR(cudaErrorSharedObjectInitFailed, "shared object initialization failed"),
    LANEWORK_SIMT_ERROR(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    LANEWORK_SIMT_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    LANEWORK_SIMT_ERROR(cudaErrorLossyQuery, "attempted introspection would be semantically lossy"),
    LANEWORK_SIMT_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    LANEWORK_SIMT_ERROR(cudaErrorNotReady, "device not ready"),
    LANEWORK_SIMT_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    LANEWORK_SIMT_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    LANEWORK_SIMT_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    LANEWORK_SIMT_ERROR(cudaErrorLaunchIncompatibleTexturing, "launch uses incompatible texturing mode"),
    LANEWORK_SIMT_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    LANEWORK_SIMT_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    LANEWORK_SIMT_ERROR(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    LANEWORK_SIMT_ERROR(cudaErrorContextIsDestroyed, "context is destroyed"),
    LANEWORK_SIMT_ERROR(cudaErrorAssert, "device-side assert triggered"),
    LANEWORK_SIMT_ERROR(cudaErrorTooManyPeers, "peer mapping resources exhausted"),
    LANEWORK_SIMT_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                        "part or all of the requested memory range is already mapped"),
    LANEWORK_SIMT_ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    LANEWORK_SIMT_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    LANEWORK_SIMT_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    LANEWORK_SIMT_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidPc, "invalid program counter"),
    LANEWORK_SIMT_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    LANEWORK_SIMT_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    LANEWORK_SIMT_ERROR(cudaErrorTensorMemoryLeak, "tensor memory not completely freed"),
    LANEWORK_SIMT_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    LANEWORK_SIMT_ERROR(cudaErrorNotSupported, "operation not supported"),
    LANEWORK_SIMT_ERROR(cudaErrorSystemNotReady, "system not yet initialized"),
    LANEWORK_SIMT_ERROR(cudaErrorSystemDriverMismatch,
                        "system has unsupported display driver / cuda driver combination"),
    LANEWORK_SIMT_ERROR(cudaErrorCompatNotSupportedOnDevice, "forward compatibility was attempted on non supported HW"),
    LANEWORK_SIMT_ERROR(cudaErrorMpsConnectionFailed,
                        "MPS client failed to connect to the MPS control daemon or the MPS server"),
    LANEWORK_SIMT_ERROR(cudaErrorMpsRpcFailure,
                        "the remote procedural call between the MPS server and the MPS client failed"),
    LANEWORK_SIMT_ERROR(cudaErrorMpsServerNotReady, "MPS server is not ready to accept new MPS client requests"),
    LANEWORK_SIMT_ERROR(cudaErrorMpsMaxClientsReached,
                        "the hardware resources required to create MPS client have been exhausted"),
    LANEWORK_SIMT_ERROR(cudaErrorMpsMaxConnectionsReached,
                        "the hardware resources required to support device connections have been exhausted"),
    LANEWORK_SIMT_ERROR(cudaErrorMpsClientTerminated, "the MPS client has been terminated by the server"),
    LANEWORK_SIMT_ERROR(
        cudaErrorCdpNotSupported,
        "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it"),
    LANEWORK_SIMT_ERROR(cudaErrorCdpVersionMismatch,
                        "unsupported interaction between different versions of CUDA Dynamic Parallelism"),
    LANEWORK_SIMT_ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    LANEWORK_SIMT_ERROR(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    LANEWORK_SIMT_ERROR(cudaErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    LANEWORK_SIMT_ERROR(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    LANEWORK_SIMT_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    LANEWORK_SIMT_ERROR(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    LANEWORK_SIMT_ERROR(cudaErrorStreamCaptureImplicit,
                        "operation would make the legacy stream depend on a capturing blocking stream"),
    LANEWORK_SIMT_ERROR(cudaErrorCapturedEvent,
                        "operation not permitted on an event last recorded in a capturing stream"),
    LANEWORK_SIMT_ERROR(cudaErrorStreamCaptureWrongThread,
                        "attempt to terminate a thread-local capture sequence from another thread"),
    LANEWORK_SIMT_ERROR(cudaErrorTimeout, "wait operation timed out"),
    LANEWORK_SIMT_ERROR(cudaErrorGraphExecUpdateFailure,
                        "the graph update was not performed because it included changes which violated constraints "
                        "specific to instantiated graph update"),
    LANEWORK_SIMT_ERROR(cudaErrorExternalDevice, "an async error has occured in external entity outside of CUDA"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidClusterSize,
                        "a kernel launch error has occurred due to cluster misconfiguration"),
    LANEWORK_SIMT_ERROR(cudaErrorFunctionNotLoaded,
                        "the function handle is not loaded when calling an API that requires a loaded function"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidResourceType,
                        "one or more resources passed in are not valid resource types for the operation"),
    LANEWORK_SIMT_ERROR(cudaErrorInvalidResourceConfiguration,
                        "one or more resources are insufficient or non-applicable for the operation"),
    LANEWORK_SIMT_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef LANEWORK_SIMT_ERROR

constexpr Entry kUnknown{cudaErrorUnknown, "unrecognized error code", "unrecognized error code"};

const Entry& entry_of(cudaError error) {
    for (const Entry& entry : kErrors)
        if (entry.code == error) return entry;
    return kUnknown;
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) { return entry_of(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return entry_of(error).text; }

}  // namespace api
}  // namespace lanework_simt
