// cuBLAS's products whose element types are arguments, and those of halves.
#include <cuda_bf16.h>

#include <cstdint>
#include <type_traits>

#include "src/simt/blas_call.hpp"
#include "src/simt/dense_algebra.hpp"

namespace lanework_simt {
inline namespace api {
namespace {

/// Of the types that cublasGemmEx takes; 0 for others.
long long bytes_of(cudaDataType type) {
    switch (type) {
        case CUDA_R_8I: return 1;
        case CUDA_R_16F:
        case CUDA_R_16BF: return 2;
        case CUDA_R_32F:
        case CUDA_R_32I: return 4;
        case CUDA_R_64F: return 8;
        default: return 0;
    }
}

cublasComputeType_t compute_type(cudaDataType type) {
    switch (type) {
        case CUDA_R_16F: return CUBLAS_COMPUTE_16F;
        case CUDA_R_64F: return CUBLAS_COMPUTE_64F;
        case CUDA_R_32I: return CUBLAS_COMPUTE_32I;
        default: return CUBLAS_COMPUTE_32F;
    }
}

/// As cuBLAS asks of bytes that it sums as int: factors that begin at whole words, and their columns, too.
bool in_words(const void* matrix, int columns_apart) {
    return reinterpret_cast<std::uintptr_t>(matrix) % 4 == 0 && columns_apart % 4 == 0;
}

}  // namespace

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
    if (type_a != type_b) return CUBLAS_STATUS_NOT_SUPPORTED;
    const auto multiplied = [&](auto in, auto out, auto scalar) {
        using In = decltype(in);
        using Out = decltype(out);
        using Scalar = decltype(scalar);
        using Fractional = std::conditional_t<std::is_same_v<Scalar, double>, double, float>;
        // Whole numbers wrap around.
        using Sum = std::conditional_t<std::is_same_v<Scalar, int>, unsigned, Fractional>;
        const auto multiply = [&] {
            return dense::multiply<Sum>(opa, opb, m, n, k, Sum(*static_cast<const Scalar*>(alpha)),
                                        static_cast<const In*>(a), lda, static_cast<const In*>(b), ldb,
                                        Sum(*static_cast<const Scalar*>(beta)), static_cast<Out*>(c), ldc);
        };
        return with(handle, multiply, "cublasGemmEx");
    };
    const bool halves = type_a == CUDA_R_16F, halves_out = type_c == CUDA_R_16F;
    if (type_a == CUDA_R_16BF && type_c == CUDA_R_16BF) return multiplied(__nv_bfloat16(), __nv_bfloat16(), 0.0f);
    if (type_a == CUDA_R_16BF && type_c == CUDA_R_32F) return multiplied(__nv_bfloat16(), 0.0f, 0.0f);
    if (type_a == CUDA_R_64F && type_c == CUDA_R_64F) return multiplied(0.0, 0.0, 0.0);
    if (type_a == CUDA_R_32F && type_c == CUDA_R_32F) return multiplied(0.0f, 0.0f, 0.0f);
    if (halves && type_c == CUDA_R_32F) return multiplied(__half(), 0.0f, 0.0f);
    const bool whole = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
    if (type_a == CUDA_R_8I && type_c == CUDA_R_32I && whole && in_words(a, lda) && in_words(b, ldb))
        return multiplied(static_cast<signed char>(0), 0, 0);
    const bool floats = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC;
    if (type_a == CUDA_R_8I && type_c == CUDA_R_32F && floats)
        return multiplied(static_cast<signed char>(0), 0.0f, 0.0f);
    const bool half_scalars = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    if (halves && halves_out && half_scalars) return multiplied(__half(), __half(), __half());
    if (halves && halves_out) return multiplied(__half(), __half(), 0.0f);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                                   int k, const void* alpha, const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb, const void* beta,
                                   void* const c[], cudaDataType type_c, int ldc, int batches,
                                   cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
    for (int i = 0; i < batches; ++i) {
        const cublasStatus_t one = cublasGemmEx(handle, opa, opb, m, n, k, alpha, a[i], type_a, lda, b[i], type_b, ldb,
                                                beta, c[i], type_c, ldc, compute, algorithm);
        if (one != CUBLAS_STATUS_SUCCESS) return one;
    }
    return status_of(batches >= 0);
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                                          long long stride_a, const void* b, cudaDataType type_b, int ldb,
                                          long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int batches, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm) {
    for (long long i = 0; i < batches; ++i) {
        const cublasStatus_t one = cublasGemmEx(
            handle, opa, opb, m, n, k, alpha, static_cast<const char*>(a) + i * stride_a * bytes_of(type_a), type_a,
            lda, static_cast<const char*>(b) + i * stride_b * bytes_of(type_b), type_b, ldb, beta,
            static_cast<char*>(c) + i * stride_c * bytes_of(type_c), type_c, ldc, compute, algorithm);
        if (one != CUBLAS_STATUS_SUCCESS) return one;
    }
    return status_of(batches >= 0);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cudaDataType compute, cublasGemmAlgo_t algorithm) {
    return cublasGemmEx(handle, opa, opb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc,
                        compute_type(compute), algorithm);
}
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                                   int k, const void* alpha, const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb, const void* beta,
                                   void* const c[], cudaDataType type_c, int ldc, int batches, cudaDataType compute,
                                   cublasGemmAlgo_t algorithm) {
    return cublasGemmBatchedEx(handle, opa, opb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc,
                               batches, compute_type(compute), algorithm);
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                                          long long stride_a, const void* b, cudaDataType type_b, int ldb,
                                          long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int batches, cudaDataType compute,
                                          cublasGemmAlgo_t algorithm) {
    return cublasGemmStridedBatchedEx(handle, opa, opb, m, n, k, alpha, a, type_a, lda, stride_a, b, type_b, ldb,
                                      stride_b, beta, c, type_c, ldc, stride_c, batches, compute_type(compute),
                                      algorithm);
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                           const __half* alpha, const __half* a, int lda, const __half* b, int ldb, const __half* beta,
                           __half* c, int ldc) {
    return cublasGemmEx(handle, opa, opb, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F, ldb, beta, c, CUDA_R_16F,
                        ldc, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

}  // namespace api
}  // namespace lanework_simt
