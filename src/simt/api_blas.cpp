// cuBLAS's functions that have an element type in their name.
#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/simt/blas_call.hpp"
#include "src/simt/dense_algebra.hpp"

namespace lanework_simt {
inline namespace api {

using namespace dense;

#define LANEWORK_SIMT_BLAS(S, s, type)                                                                                 \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const type* alpha, const type* x, int incx, type* y,  \
                                   int incy) {                                                                         \
        return with(handle, [&] {                                                                                      \
            const Vector from(as(x), n, incx);                                                                         \
            const Vector to(as(y), n, incy);                                                                           \
            from.note_input();                                                                                         \
            to.note_output(true);                                                                                      \
            for (int i = 0; i < n; ++i) to[i] += *as(alpha) * from[i];                                                 \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const type* alpha, type* x, int incx) {               \
        return with(handle, [&] {                                                                                      \
            const Vector to(as(x), n, incx);                                                                           \
            to.note_output(true);                                                                                      \
            for (int i = 0; i < n; ++i) to[i] *= *as(alpha);                                                           \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const type* x, int incx, type* y, int incy) {         \
        return with(handle, [&] {                                                                                      \
            const Vector from(as(x), n, incx);                                                                         \
            const Vector to(as(y), n, incy);                                                                           \
            from.note_input();                                                                                         \
            to.note_output(false);                                                                                     \
            for (int i = 0; i < n; ++i) to[i] = from[i];                                                               \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, type* x, int incx, type* y, int incy) {               \
        return with(handle, [&] {                                                                                      \
            const Vector a(as(x), n, incx), b(as(y), n, incy);                                                         \
            a.note_input(), b.note_input();                                                                            \
            for (int i = 0; i < n; ++i) std::swap(a[i], b[i]);                                                         \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublasI##s##amax(cublasHandle_t handle, int n, const type* x, int incx, int* result) {              \
        return with(handle, [&] {                                                                                      \
            if (incx > 0) Vector(as(x), n, incx).note_input();                                                         \
            int best = 0;                                                                                              \
            for (int i = 1; i < n && incx > 0; ++i)                                                                    \
                if (size_of(as(x)[std::ptrdiff_t(i) * incx]) > size_of(as(x)[std::ptrdiff_t(best) * incx])) best = i;  \
            return put(result, n > 0 && incx > 0 ? best + 1 : 0), true;                                                \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublasI##s##amin(cublasHandle_t handle, int n, const type* x, int incx, int* result) {              \
        return with(handle, [&] {                                                                                      \
            if (incx > 0) Vector(as(x), n, incx).note_input();                                                         \
            int best = 0;                                                                                              \
            for (int i = 1; i < n && incx > 0; ++i)                                                                    \
                if (size_of(as(x)[std::ptrdiff_t(i) * incx]) < size_of(as(x)[std::ptrdiff_t(best) * incx])) best = i;  \
            return put(result, n > 0 && incx > 0 ? best + 1 : 0), true;                                                \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const type* alpha,       \
                                   const type* a, int lda, const type* x, int incx, const type* beta, type* y,         \
                                   int incy) {                                                                         \
        return with(handle, [&] {                                                                                      \
            if (m < 0 || n < 0 || lda < m || incx == 0 || incy == 0) return false;                                     \
            using T = std::remove_pointer_t<decltype(as(y))>;                                                          \
            const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;                           \
            const Matrix<T> matrix{as(a), lda, op};                                                                    \
            const Vector from(as(x), columns, incx);                                                                   \
            const Vector to(as(y), rows, incy);                                                                        \
            note_read(as(a), m, n, lda), from.note_input();                                                            \
            to.note_output(*as(beta) != T{});                                                                          \
            for (int i = 0; i < rows; ++i) {                                                                           \
                T sum{};                                                                                               \
                for (int k = 0; k < columns; ++k) sum += matrix(i, k) * from[k];                                       \
                to[i] = *as(beta) == T{} ? *as(alpha) * sum : *as(alpha) * sum + *as(beta) * to[i];                    \
            }                                                                                                          \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,  \
                                   int k, const type* alpha, const type* a, int lda, const type* b, int ldb,           \
                                   const type* beta, type* c, int ldc) {                                               \
        return with(handle, [&] {                                                                                      \
            return multiply(opa, opb, m, n, k, *as(alpha), as(a), lda, as(b), ldb, *as(beta), as(c), ldc);             \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,  \
                                          int n, int k, const type* alpha, const type* const a[], int lda,             \
                                          const type* const b[], int ldb, const type* beta, type* const c[], int ldc,  \
                                          int batches) {                                                               \
        for (int i = 0; i < batches; ++i) {                                                                            \
            const cublasStatus_t one =                                                                                 \
                cublas##S##gemm(handle, opa, opb, m, n, k, alpha, a[i], lda, b[i], ldb, beta, c[i], ldc);              \
            if (one != CUBLAS_STATUS_SUCCESS) return one;                                                              \
        }                                                                                                              \
        return status_of(batches >= 0);                                                                                \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                                      \
        cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const type* alpha,   \
        const type* a, int lda, long long stride_a, const type* b, int ldb, long long stride_b, const type* beta,      \
        type* c, int ldc, long long stride_c, int batches) {                                                           \
        for (int i = 0; i < batches; ++i) {                                                                            \
            const cublasStatus_t one = cublas##S##gemm(handle, opa, opb, m, n, k, alpha, a + i * stride_a, lda,        \
                                                       b + i * stride_b, ldb, beta, c + i * stride_c, ldc);            \
            if (one != CUBLAS_STATUS_SUCCESS) return one;                                                              \
        }                                                                                                              \
        return status_of(batches >= 0);                                                                                \
    }                                                                                                                  \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,  \
                                   const type* alpha, const type* a, int lda, const type* beta, const type* b,         \
                                   int ldb, type* c, int ldc) {                                                        \
        return with(handle, [&] {                                                                                      \
            using T = std::remove_pointer_t<decltype(as(c))>;                                                          \
            if (!valid_shape(opa, m, n, lda) || !valid_shape(opb, m, n, ldb) || !valid_shape(m, n, ldc)) return false; \
            const bool reads_c = (a == c && *as(alpha) != T{}) || (b == c && *as(beta) != T{});                        \
            note_read(opa, as(a), m, n, lda), note_read(opb, as(b), m, n, ldb);                                        \
            note_output(reads_c, as(c), m, n, ldc);                                                                    \
            const Matrix<T> left{as(a), lda, opa}, right{as(b), ldb, opb};                                             \
            for (int j = 0; j < n; ++j)                                                                                \
                for (int i = 0; i < m; ++i) {                                                                          \
                    const T first = *as(alpha) == T{} ? T{} : *as(alpha) * left(i, j);                                 \
                    const T second = *as(beta) == T{} ? T{} : *as(beta) * right(i, j);                                 \
                    as(c)[i + std::ptrdiff_t(j) * ldc] = first + second;                                               \
                }                                                                                                      \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,                \
                                   cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const type* alpha,   \
                                   const type* a, int lda, type* b, int ldb) {                                         \
        return with(handle, [&] {                                                                                      \
            using T = std::remove_pointer_t<decltype(as(b))>;                                                          \
            const bool left = side == CUBLAS_SIDE_LEFT, unit = diagonal == CUBLAS_DIAG_UNIT;                           \
            const bool lower = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);                                \
            const int size = left ? m : n;                                                                             \
            if (!valid_shape(size, size, lda) || !valid_shape(m, n, ldb)) return false;                                \
            note_output(*as(alpha) != T{}, as(b), m, n, ldb);                                                          \
            note_read(as(a), size, size, lda);                                                                         \
            if (*as(alpha) == T{}) {                                                                                   \
                for (int j = 0; j < n; ++j) std::fill_n(as(b) + std::ptrdiff_t(j) * ldb, m, T{});                      \
                return true;                                                                                           \
            }                                                                                                          \
            for (int j = 0; j < n; ++j)                                                                                \
                for (int i = 0; i < m; ++i) as(b)[i + std::ptrdiff_t(j) * ldb] *= *as(alpha);                          \
            const Matrix<T> matrix{as(a), lda, op};                                                                    \
            if (left) {                                                                                                \
                for (int j = 0; j < n; ++j) solve<T>(matrix, lower, unit, m, {as(b) + std::ptrdiff_t(j) * ldb, m, 1}); \
                return true;                                                                                           \
            }                                                                                                          \
            /* x·op(a) = b is op(a)ᵀ·xᵀ = bᵀ: a row at a time with the transposed matrix. */                   \
            std::vector<T> transposed(std::size_t(n) * std::size_t(n));                                                \
            for (int j = 0; j < n; ++j)                                                                                \
                for (int i = 0; i < n; ++i) transposed[std::size_t(j + i * n)] = matrix(i, j);                         \
            for (int i = 0; i < m; ++i)                                                                                \
                solve<T>({transposed.data(), n, CUBLAS_OP_N}, !lower, unit, n, {as(b) + i, n, ldb});                   \
            return true;                                                                                               \
        });                                                                                                            \
    }
LANEWORK_SIMT_BLAS(S, s, float)
LANEWORK_SIMT_BLAS(D, d, double)
LANEWORK_SIMT_BLAS(C, c, cuComplex)
LANEWORK_SIMT_BLAS(Z, z, cuDoubleComplex)
#undef LANEWORK_SIMT_BLAS

#define LANEWORK_SIMT_BLAS(S, type)                                                                                    \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const type* x, int incx, const type* y, int incy,      \
                                  type* result) {                                                                      \
        return with(handle, [&] {                                                                                      \
            const Vector a(x, n, incx), b(y, n, incy);                                                                 \
            a.note_input(), b.note_input();                                                                            \
            double sum = 0;                                                                                            \
            for (int i = 0; i < n; ++i) sum += double(a[i]) * double(b[i]);                                            \
            return put(result, type(sum)), true;                                                                       \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const type* x, int incx, type* result) {              \
        return with(handle, [&] {                                                                                      \
            const Vector a(x, n, incx);                                                                                \
            a.note_input();                                                                                            \
            type largest = 0;                                                                                          \
            for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(a[i]));                                   \
            double sum = 0;                                                                                            \
            for (int i = 0; i < n && largest > 0; ++i) sum += double(a[i] / largest) * double(a[i] / largest);         \
            return put(result, largest > 0 ? type(double(largest) * std::sqrt(sum)) : type(0)), true;                  \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const type* x, int incx, type* result) {              \
        return with(handle, [&] {                                                                                      \
            const Vector a(x, n, incx);                                                                                \
            a.note_input();                                                                                            \
            double sum = 0;                                                                                            \
            for (int i = 0; i < n; ++i) sum += std::abs(double(a[i]));                                                 \
            return put(result, type(sum)), true;                                                                       \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, type* x, int incx, type* y, int incy,                  \
                                  const type* cosine, const type* sine) {                                              \
        return with(handle, [&] {                                                                                      \
            const Vector a(x, n, incx), b(y, n, incy);                                                                 \
            a.note_output(true), b.note_output(true);                                                                  \
            for (int i = 0; i < n; ++i) {                                                                              \
                const type first = a[i], second = b[i];                                                                \
                a[i] = *cosine * first + *sine * second;                                                               \
                b[i] = *cosine * second - *sine * first;                                                               \
            }                                                                                                          \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const type* alpha, const type* x, int incx,     \
                                  const type* y, int incy, type* a, int lda) {                                         \
        return with(handle, [&] {                                                                                      \
            if (!valid_shape(m, n, lda) || incx == 0 || incy == 0) return false;                                       \
            const Vector left(x, m, incx), right(y, n, incy);                                                          \
            left.note_input(), right.note_input();                                                                     \
            note_changed(a, m, n, lda);                                                                                \
            for (int j = 0; j < n; ++j)                                                                                \
                for (int i = 0; i < m; ++i) a[i + std::ptrdiff_t(j) * lda] += *alpha * left[i] * right[j];             \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t fill, int n, const type* alpha,             \
                                   const type* a, int lda, const type* x, int incx, const type* beta, type* y,         \
                                   int incy) {                                                                         \
        if (!is_blas_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
        if (!valid_shape(n, n, lda)) return CUBLAS_STATUS_INVALID_VALUE;                                               \
        const std::vector<type> full = whole(fill, n, a, lda);                                                         \
        const LibraryTurn turn = turn_of(handle);                                                                      \
        note_read(a, n, n, lda);                                                                                       \
        return cublas##S##gemv(handle, CUBLAS_OP_N, n, n, alpha, full.data(), n, x, incx, beta, y, incy);              \
    }                                                                                                                  \
    cublasStatus_t cublas##S##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,  \
                                   const type* alpha, const type* a, int lda, const type* b, int ldb,                  \
                                   const type* beta, type* c, int ldc) {                                               \
        const bool left = side == CUBLAS_SIDE_LEFT;                                                                    \
        const int size = left ? m : n, apart = std::max(1, size);                                                      \
        if (!is_blas_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
        if (!valid_shape(size, size, lda)) return CUBLAS_STATUS_INVALID_VALUE;                                         \
        const std::vector<type> full = whole(fill, size, a, lda);                                                      \
        const LibraryTurn turn = turn_of(handle);                                                                      \
        note_read(a, size, size, lda);                                                                                 \
        return left ? cublas##S##gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, m, alpha, full.data(), apart, b, ldb,    \
                                      beta, c, ldc)                                                                    \
                    : cublas##S##gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, n, alpha, b, ldb, full.data(), apart,    \
                                      beta, c, ldc);                                                                   \
    }                                                                                                                  \
    cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,   \
                                   const type* alpha, const type* a, int lda, const type* beta, type* c, int ldc) {    \
        return with(handle, [&] {                                                                                      \
            const cublasOperation_t other = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;                             \
            if (!valid_shape(op, n, k, lda) || !valid_shape(n, n, ldc)) return false;                                  \
            const bool lower = fill == CUBLAS_FILL_MODE_LOWER;                                                         \
            note_read(op, a, n, k, lda);                                                                               \
            std::vector<type> all(std::size_t(n) * std::size_t(n));                                                    \
            add_product(op, other, n, n, k, *alpha, a, lda, a, lda, type(0), all.data(), n);                           \
            for (int j = 0; j < n; ++j) {                                                                              \
                const int begin = lower ? j : 0, end = lower ? n : j + 1;                                              \
                type* const column = c + std::ptrdiff_t(j) * ldc;                                                      \
                note_output(*beta != 0, column + begin, end - begin, 1, ldc);                                          \
                for (int i = begin; i < end; ++i)                                                                      \
                    column[i] =                                                                                        \
                        all[std::size_t(i) + std::size_t(j) * std::size_t(n)] + (*beta == 0 ? 0 : *beta * column[i]);  \
            }                                                                                                          \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const type* a, int lda, \
                                   const type* x, int incx, type* c, int ldc) {                                        \
        return with(handle, [&] {                                                                                      \
            if (!valid_shape(m, n, lda) || !valid_shape(m, n, ldc)) return false;                                      \
            note_output(a == c, c, m, n, ldc);                                                                         \
            const Vector diagonal(x, side == CUBLAS_SIDE_LEFT ? m : n, incx);                                          \
            note_read(a, m, n, lda), diagonal.note_input();                                                            \
            for (int j = 0; j < n; ++j)                                                                                \
                for (int i = 0; i < m; ++i)                                                                            \
                    c[i + std::ptrdiff_t(j) * ldc] =                                                                   \
                        a[i + std::ptrdiff_t(j) * lda] * diagonal[side == CUBLAS_SIDE_LEFT ? i : j];                   \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n, type* const a[], int lda, int* pivots,        \
                                           int* info, int batches) {                                                   \
        return with(handle, [&] {                                                                                      \
            if (!valid_shape(n, n, lda) || batches < 0) return false;                                                  \
            note_written(info, batches, 1, batches);                                                                   \
            if (pivots) note_written(pivots, n, batches, n);                                                           \
            for (int i = 0; i < batches; ++i) {                                                                        \
                note_changed(a[i], n, n, lda);                                                                         \
                info[i] = factorize(n, a[i], lda, pivots ? pivots + std::ptrdiff_t(i) * n : nullptr);                  \
            }                                                                                                          \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##getriBatched(cublasHandle_t handle, int n, const type* const a[], int lda,               \
                                           const int* pivots, type* const c[], int ldc, int* info, int batches) {      \
        return with(handle, [&] {                                                                                      \
            if (!valid_shape(n, n, lda) || !valid_shape(n, n, ldc) || batches < 0) return false;                       \
            for (int i = 0; i < batches; ++i) {                                                                        \
                note_written(c[i], n, n, ldc);                                                                         \
                note_read(a[i], n, n, lda);                                                                            \
                put(info + i, 0);                                                                                      \
                invert(n, a[i], lda, pivots ? pivots + std::ptrdiff_t(i) * n : nullptr, c[i], ldc);                    \
            }                                                                                                          \
            return true;                                                                                               \
        });                                                                                                            \
    }
LANEWORK_SIMT_BLAS(S, float)
LANEWORK_SIMT_BLAS(D, double)
#undef LANEWORK_SIMT_BLAS

}  // namespace api
}  // namespace lanework_simt
