// cuBLAS for the simt device: what programs commonly call of levels 1 to 3, on the host's processor. What is not here
// is unknown by name.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <cuda_runtime.h>

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

#define CUBLAS_API_H_  // programs ask by it whether cuBLAS's header was read
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VERSION 130000

namespace lanework_simt {
inline namespace api {

enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16,
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };

struct cublasContext;
using cublasHandle_t = cublasContext*;

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
size_t cublasGetCudartVersion();
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
const char* cublasGetStatusString(cublasStatus_t status);
const char* cublasGetStatusName(cublasStatus_t status);
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode

cublasStatus_t cublasSetVector(int n, int element_bytes, const void* from, int step_from, void* to, int step_to);
cublasStatus_t cublasGetVector(int n, int element_bytes, const void* from, int step_from, void* to, int step_to);
cublasStatus_t cublasSetMatrix(int rows, int columns, int element_bytes, const void* from, int stride_from, void* to,
                               int stride_to);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element_bytes, const void* from, int stride_from, void* to,
                               int stride_to);

// Matrices are column by column; lda is the distance of columns. Factors of the host are read when a function is
// called, those of the device (by the pointer mode) when its work begins, which in a graph is later.
#define LANEWORK_SIMT_BLAS(S, s, type, real)                                                                           \
    cublasStatus_t cublas##S##axpy(cublasHandle_t, int n, const type* alpha, const type* x, int incx, type* y,         \
                                   int incy);                                                                          \
    cublasStatus_t cublas##S##scal(cublasHandle_t, int n, const type* alpha, type* x, int incx);                       \
    cublasStatus_t cublas##S##copy(cublasHandle_t, int n, const type* x, int incx, type* y, int incy);                 \
    cublasStatus_t cublas##S##swap(cublasHandle_t, int n, type* x, int incx, type* y, int incy);                       \
    cublasStatus_t cublasI##s##amax(cublasHandle_t, int n, const type* x, int incx, int* result);                      \
    cublasStatus_t cublasI##s##amin(cublasHandle_t, int n, const type* x, int incx, int* result);                      \
    cublasStatus_t cublas##S##gemv(cublasHandle_t, cublasOperation_t op, int m, int n, const type* alpha,              \
                                   const type* a, int lda, const type* x, int incx, const type* beta, type* y,         \
                                   int incy);                                                                          \
    cublasStatus_t cublas##S##gemm(cublasHandle_t, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,  \
                                   const type* alpha, const type* a, int lda, const type* b, int ldb,                  \
                                   const type* beta, type* c, int ldc);                                                \
    cublasStatus_t cublas##S##gemmBatched(cublasHandle_t, cublasOperation_t opa, cublasOperation_t opb, int m, int n,  \
                                          int k, const type* alpha, const type* const a[], int lda,                    \
                                          const type* const b[], int ldb, const type* beta, type* const c[], int ldc,  \
                                          int batches);                                                                \
    cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t, cublasOperation_t opa, cublasOperation_t opb, int m,  \
                                                 int n, int k, const type* alpha, const type* a, int lda,              \
                                                 long long stride_a, const type* b, int ldb, long long stride_b,       \
                                                 const type* beta, type* c, int ldc, long long stride_c, int batches); \
    cublasStatus_t cublas##S##geam(cublasHandle_t, cublasOperation_t opa, cublasOperation_t opb, int m, int n,         \
                                   const type* alpha, const type* a, int lda, const type* beta, const type* b,         \
                                   int ldb, type* c, int ldc);                                                         \
    cublasStatus_t cublas##S##trsm(cublasHandle_t, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, \
                                   cublasDiagType_t diagonal, int m, int n, const type* alpha, const type* a, int lda, \
                                   type* b, int ldb);
LANEWORK_SIMT_BLAS(S, s, float, float)
LANEWORK_SIMT_BLAS(D, d, double, double)
LANEWORK_SIMT_BLAS(C, c, cuComplex, float)
LANEWORK_SIMT_BLAS(Z, z, cuDoubleComplex, double)
#undef LANEWORK_SIMT_BLAS

// Of real numbers alone.
#define LANEWORK_SIMT_BLAS(S, type)                                                                                  \
    cublasStatus_t cublas##S##dot(cublasHandle_t, int n, const type* x, int incx, const type* y, int incy,           \
                                  type* result);                                                                     \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t, int n, const type* x, int incx, type* result);                    \
    cublasStatus_t cublas##S##asum(cublasHandle_t, int n, const type* x, int incx, type* result);                    \
    cublasStatus_t cublas##S##rot(cublasHandle_t, int n, type* x, int incx, type* y, int incy, const type* cosine,   \
                                  const type* sine);                                                                 \
    cublasStatus_t cublas##S##ger(cublasHandle_t, int m, int n, const type* alpha, const type* x, int incx,          \
                                  const type* y, int incy, type* a, int lda);                                        \
    cublasStatus_t cublas##S##symv(cublasHandle_t, cublasFillMode_t fill, int n, const type* alpha, const type* a,   \
                                   int lda, const type* x, int incx, const type* beta, type* y, int incy);           \
    cublasStatus_t cublas##S##symm(cublasHandle_t, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,       \
                                   const type* alpha, const type* a, int lda, const type* b, int ldb,                \
                                   const type* beta, type* c, int ldc);                                              \
    cublasStatus_t cublas##S##syrk(cublasHandle_t, cublasFillMode_t fill, cublasOperation_t op, int n, int k,        \
                                   const type* alpha, const type* a, int lda, const type* beta, type* c, int ldc);   \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t, cublasSideMode_t side, int m, int n, const type* a, int lda,      \
                                   const type* x, int incx, type* c, int ldc);                                       \
    cublasStatus_t cublas##S##getrfBatched(cublasHandle_t, int n, type* const a[], int lda, int* pivots, int* info,  \
                                           int batches);                                                             \
    cublasStatus_t cublas##S##getriBatched(cublasHandle_t, int n, const type* const a[], int lda, const int* pivots, \
                                           type* const c[], int ldc, int* info, int batches);
LANEWORK_SIMT_BLAS(S, float)
LANEWORK_SIMT_BLAS(D, double)
#undef LANEWORK_SIMT_BLAS

/// Elements of half, bfloat16, float or double (all of one type, or halves with float results), sums in float or
/// double.
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                                   const void* alpha, const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb, const void* beta,
                                   void* const c[], cudaDataType type_c, int ldc, int batches,
                                   cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
/// Strides are counted in elements.
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                                          int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                                          long long stride_a, const void* b, cudaDataType type_b, int ldb,
                                          long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int batches, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm);
/// The same, with the type of the sums as CUDA 10 named it.
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cudaDataType compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                                   const void* alpha, const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb, const void* beta,
                                   void* const c[], cudaDataType type_c, int ldc, int batches, cudaDataType compute,
                                   cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                                          int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                                          long long stride_a, const void* b, cudaDataType type_b, int ldb,
                                          long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int batches, cudaDataType compute,
                                          cublasGemmAlgo_t algorithm);
cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                           const __half* alpha, const __half* a, int lda, const __half* b, int ldb, const __half* beta,
                           __half* c, int ldc);

}  // namespace api
}  // namespace lanework_simt

#include <lanework_simt/letters_back.hpp>
