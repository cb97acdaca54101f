// What every function of cuBLAS begins and ends with: a handle that exists, and a status.
#pragma once

#include <cublas_v2.h>

#include <lanework_simt/error.hpp>

#include "src/simt/library_turn.hpp"

namespace lanework_simt {
inline namespace api {

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
};

}  // namespace api

/// Whether cublasCreate made it and cublasDestroy has not ended it.
bool is_blas_handle(cublasHandle_t handle);

inline cublasStatus_t status_of(bool good) { return good ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE; }

/// The turn of the cuBLAS function that calls it.
inline LibraryTurn turn_of(cublasHandle_t handle, const char* function = __builtin_FUNCTION()) {
    const bool to_host = handle->pointers == CUBLAS_POINTER_MODE_HOST;
    return LibraryTurn(function, handle->stream,
                       to_host ? LibraryTurn::Results::to_host : LibraryTurn::Results::in_memory);
}

/// Does the work of the cuBLAS function that calls it, which returns whether its arguments are valid, unless a kernel
/// has failed.
template <class Work>
cublasStatus_t with(cublasHandle_t handle, const Work& work, const char* function = __builtin_FUNCTION()) {
    if (!is_blas_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (sticky_error() != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
    const LibraryTurn turn = turn_of(handle, function);
    return status_of(work());
}

}  // namespace lanework_simt
