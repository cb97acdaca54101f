// cuBLAS's handles with their settings, the words of its statuses, and copies of vectors and matrices.
#include <cublasLt.h>

#include <cstddef>

#include "src/simt/api_call.hpp"
#include "src/simt/blas_call.hpp"

namespace lanework_simt {
inline namespace api {

struct cublasLtContext {};

namespace {

Handles<cublasContext>& handles() {
    static auto* live = new Handles<cublasContext>;  // never destroyed: see memory_map()
    return *live;
}

Handles<cublasLtContext>& lt_handles() {
    static auto* live = new Handles<cublasLtContext>;
    return *live;
}

/// Columns of `rows` elements, one of which takes so many bytes; strides are in elements. A copy of the default stream,
/// for which the host waits.
cublasStatus_t copy_columns(int rows, int columns, int bytes, const void* from, int from_stride, void* to,
                            int to_stride, cudaMemcpyKind kind) {
    if (rows < 0 || columns < 0 || bytes <= 0 || from_stride <= 0 || to_stride <= 0) return CUBLAS_STATUS_INVALID_VALUE;
    const auto size = std::size_t(bytes), column = std::size_t(rows) * size;
    const bool together = from_stride == rows && to_stride == rows;
    const cudaError_t error = together
                                  ? cudaMemcpy(to, from, column * std::size_t(columns), kind)
                                  : cudaMemcpy2D(to, std::size_t(to_stride) * size, from,
                                                 std::size_t(from_stride) * size, column, std::size_t(columns), kind);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

struct StatusText {
    cublasStatus_t status;
    const char *name, *text;
};
constexpr StatusText kStatuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an invalid value was used as an argument"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the functionality is not supported"},
};

}  // namespace

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *handle = handles().create();
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    return handles().destroy(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *handle = lt_handles().create();
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    return lt_handles().destroy(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasGetCudartVersion() { return CUDART_VERSION; }
cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
    if (version) *version = CUBLAS_VERSION;
    return status_of(version);
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
    return with(handle, [&] { return handle->stream = stream, true; });
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
    return with(handle, [&] { return stream && (*stream = handle->stream, true); });
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
    return with(handle, [&] { return handle->pointers = mode, true; });
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
    return with(handle, [&] { return mode && (*mode = handle->pointers, true); });
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t) {
    return with(handle, [] { return true; });
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t) {
    return with(handle, [] { return true; });
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
    return with(handle, [] { return true; });
}
const char* cublasGetStatusName(cublasStatus_t status) {
    for (const StatusText& each : kStatuses)
        if (each.status == status) return each.name;
    return "CUBLAS_STATUS_UNKNOWN";
}
const char* cublasGetStatusString(cublasStatus_t status) {
    for (const StatusText& each : kStatuses)
        if (each.status == status) return each.text;
    return "unknown error";
}

cublasStatus_t cublasSetVector(int n, int bytes, const void* from, int step_from, void* to, int step_to) {
    return copy_columns(1, n, bytes, from, step_from, to, step_to, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* from, int step_from, void* to, int step_to) {
    return copy_columns(1, n, bytes, from, step_from, to, step_to, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* from, int stride_from, void* to,
                               int stride_to) {
    return copy_columns(rows, columns, bytes, from, stride_from, to, stride_to, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* from, int stride_from, void* to,
                               int stride_to) {
    return copy_columns(rows, columns, bytes, from, stride_from, to, stride_to, cudaMemcpyDeviceToHost);
}

}  // namespace api

bool is_blas_handle(cublasHandle_t handle) { return handles().exists(handle); }

}  // namespace lanework_simt
