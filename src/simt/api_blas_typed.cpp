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

/// What the products of a call have in common: op(a) has m rows and k columns, op(b) k rows and n columns.
struct Products {
    cublasOperation_t opa, opb;
    int m, n, k, lda, ldb, ldc;
    cudaDataType type_a, type_b, type_c;
    cublasComputeType_t sums;
    int batches = 1;
};
struct Operands {
    const void *a, *b;
    void* c;
};

/// `of(i)` are the operands of product i.
template <class Of>
cublasStatus_t multiply_all(const BlasCall& call, const Products& p, const void* alpha, const void* beta,
                            const Of& of) {
    if (p.batches < 0) return CUBLAS_STATUS_INVALID_VALUE;
    if (p.type_a != p.type_b) return CUBLAS_STATUS_NOT_SUPPORTED;
    const auto multiplied = [&](auto in, auto out, auto scalar) {
        using In = decltype(in);
        using Out = decltype(out);
        using Scalar = decltype(scalar);
        using Fractional = std::conditional_t<std::is_same_v<Scalar, double>, double, float>;
        // Whole numbers wrap around.
        using Sum = std::conditional_t<std::is_same_v<Scalar, int>, unsigned, Fractional>;
        const auto work = [p, of](Scalar factor, Scalar kept) {
            for (int i = 0; i < p.batches; ++i) {
                const auto [a, b, c] = of(i);
                if (std::is_same_v<Scalar, int> && !(in_words(a, p.lda) && in_words(b, p.ldb)))
                    return CUBLAS_STATUS_NOT_SUPPORTED;
                if (!dense::multiply<Sum>(p.opa, p.opb, p.m, p.n, p.k, Sum(factor), static_cast<const In*>(a), p.lda,
                                          static_cast<const In*>(b), p.ldb, Sum(kept), static_cast<Out*>(c), p.ldc))
                    return CUBLAS_STATUS_INVALID_VALUE;
            }
            return CUBLAS_STATUS_SUCCESS;
        };
        return compute(call, work, static_cast<const Scalar*>(alpha), static_cast<const Scalar*>(beta));
    };
    const bool halves = p.type_a == CUDA_R_16F, halves_out = p.type_c == CUDA_R_16F;
    if (p.type_a == CUDA_R_16BF && p.type_c == CUDA_R_16BF) return multiplied(__nv_bfloat16(), __nv_bfloat16(), 0.0f);
    if (p.type_a == CUDA_R_16BF && p.type_c == CUDA_R_32F) return multiplied(__nv_bfloat16(), 0.0f, 0.0f);
    if (p.type_a == CUDA_R_64F && p.type_c == CUDA_R_64F) return multiplied(0.0, 0.0, 0.0);
    if (p.type_a == CUDA_R_32F && p.type_c == CUDA_R_32F) return multiplied(0.0f, 0.0f, 0.0f);
    if (halves && p.type_c == CUDA_R_32F) return multiplied(__half(), 0.0f, 0.0f);
    const bool whole = p.sums == CUBLAS_COMPUTE_32I || p.sums == CUBLAS_COMPUTE_32I_PEDANTIC;
    if (p.type_a == CUDA_R_8I && p.type_c == CUDA_R_32I && whole) return multiplied(static_cast<signed char>(0), 0, 0);
    const bool floats = p.sums == CUBLAS_COMPUTE_32F || p.sums == CUBLAS_COMPUTE_32F_PEDANTIC;
    if (p.type_a == CUDA_R_8I && p.type_c == CUDA_R_32F && floats)
        return multiplied(static_cast<signed char>(0), 0.0f, 0.0f);
    const bool half_scalars = p.sums == CUBLAS_COMPUTE_16F || p.sums == CUBLAS_COMPUTE_16F_PEDANTIC;
    if (halves && halves_out && half_scalars) return multiplied(__half(), __half(), __half());
    if (halves && halves_out) return multiplied(__half(), __half(), 0.0f);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
    return multiply_all(handle, {opa, opb, m, n, k, lda, ldb, ldc, type_a, type_b, type_c, compute}, alpha, beta,
                        [=](int) {
                            return Operands{a, b, c};
                        });
}
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                                   int k, const void* alpha, const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb, const void* beta,
                                   void* const c[], cudaDataType type_c, int ldc, int batches,
                                   cublasComputeType_t compute, cublasGemmAlgo_t) {
    return multiply_all(handle, {opa, opb, m, n, k, lda, ldb, ldc, type_a, type_b, type_c, compute, batches}, alpha,
                        beta, [=](int i) {
                            return Operands{dense::address_in(a, i), dense::address_in(b, i), dense::address_in(c, i)};
                        });
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                                          long long stride_a, const void* b, cudaDataType type_b, int ldb,
                                          long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int batches, cublasComputeType_t compute,
                                          cublasGemmAlgo_t) {
    return multiply_all(handle, {opa, opb, m, n, k, lda, ldb, ldc, type_a, type_b, type_c, compute, batches}, alpha,
                        beta, [=](int i) {
                            return Operands{static_cast<const char*>(a) + i * stride_a * bytes_of(type_a),
                                            static_cast<const char*>(b) + i * stride_b * bytes_of(type_b),
                                            static_cast<char*>(c) + i * stride_c * bytes_of(type_c)};
                        });
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
    constexpr cudaDataType kHalf = CUDA_R_16F;
    return multiply_all(handle, {opa, opb, m, n, k, lda, ldb, ldc, kHalf, kHalf, kHalf, CUBLAS_COMPUTE_16F}, alpha,
                        beta, [=](int) {
                            return Operands{a, b, c};
                        });
}

}  // namespace api
}  // namespace lanework_simt
