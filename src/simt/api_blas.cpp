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
        const auto work = [=](auto factor) {                                                                           \
            const Vector from(as(x), n, incx);                                                                         \
            const Vector to(as(y), n, incy);                                                                           \
            note_read(from.bytes()), note_changed(to.bytes());                                                         \
            for (int i = 0; i < n; ++i) to[i] += factor * from[i];                                                     \
            return true;                                                                                               \
        };                                                                                                             \
        return compute(handle, work, as(alpha));                                                                       \
    }                                                                                                                  \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const type* alpha, type* x, int incx) {               \
        const auto work = [=](auto factor) {                                                                           \
            const Vector to(as(x), n, incx);                                                                           \
            note_changed(to.bytes());                                                                                  \
            for (int i = 0; i < n; ++i) to[i] *= factor;                                                               \
            return true;                                                                                               \
        };                                                                                                             \
        return compute(handle, work, as(alpha));                                                                       \
    }                                                                                                                  \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const type* x, int incx, type* y, int incy) {         \
        return compute(handle, [=] {                                                                                   \
            const Vector from(as(x), n, incx);                                                                         \
            const Vector to(as(y), n, incy);                                                                           \
            note_read(from.bytes()), note_written(to.bytes());                                                         \
            for (int i = 0; i < n; ++i) to[i] = from[i];                                                               \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, type* x, int incx, type* y, int incy) {               \
        return compute(handle, [=] {                                                                                   \
            const Vector a(as(x), n, incx), b(as(y), n, incy);                                                         \
            note_read(a.bytes()), note_read(b.bytes());                                                                \
            note_written(a.bytes()), note_written(b.bytes());                                                          \
            for (int i = 0; i < n; ++i) std::swap(a[i], b[i]);                                                         \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublasI##s##amax(cublasHandle_t handle, int n, const type* x, int incx, int* result) {              \
        return compute_number(result, handle, [=] {                                                                    \
            if (incx > 0) note_read(Vector(as(x), n, incx).bytes());                                                   \
            int best = 0;                                                                                              \
            for (int i = 1; i < n && incx > 0; ++i)                                                                    \
                if (size_of(as(x)[std::ptrdiff_t(i) * incx]) > size_of(as(x)[std::ptrdiff_t(best) * incx])) best = i;  \
            return n > 0 && incx > 0 ? best + 1 : 0;                                                                   \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublasI##s##amin(cublasHandle_t handle, int n, const type* x, int incx, int* result) {              \
        return compute_number(result, handle, [=] {                                                                    \
            if (incx > 0) note_read(Vector(as(x), n, incx).bytes());                                                   \
            int best = 0;                                                                                              \
            for (int i = 1; i < n && incx > 0; ++i)                                                                    \
                if (size_of(as(x)[std::ptrdiff_t(i) * incx]) < size_of(as(x)[std::ptrdiff_t(best) * incx])) best = i;  \
            return n > 0 && incx > 0 ? best + 1 : 0;                                                                   \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const type* alpha,       \
                                   const type* a, int lda, const type* x, int incx, const type* beta, type* y,         \
                                   int incy) {                                                                         \
        const auto work = [=](auto factor, auto kept) {                                                                \
            if (m < 0 || n < 0 || lda < m || incx == 0 || incy == 0) return false;                                     \
            const decltype(kept) zero{};                                                                               \
            const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;                           \
            const Vector from(as(x), columns, incx);                                                                   \
            const Vector to(as(y), rows, incy);                                                                        \
            if (factor != zero) note_read(bytes_of(as(a), m, n, lda)), note_read(from.bytes());                        \
            note_output(kept != zero, to.bytes());                                                                     \
            add_product({as(a), lda, op}, rows, columns, factor, from, kept, to);                                      \
            return true;                                                                                               \
        };                                                                                                             \
        return compute(handle, work, as(alpha), as(beta));                                                             \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,  \
                                   int k, const type* alpha, const type* a, int lda, const type* b, int ldb,           \
                                   const type* beta, type* c, int ldc) {                                               \
        const auto work = [=](auto factor, auto kept) {                                                                \
            return multiply(opa, opb, m, n, k, factor, as(a), lda, as(b), ldb, kept, as(c), ldc);                      \
        };                                                                                                             \
        return compute(handle, work, as(alpha), as(beta));                                                             \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m,  \
                                          int n, int k, const type* alpha, const type* const a[], int lda,             \
                                          const type* const b[], int ldb, const type* beta, type* const c[], int ldc,  \
                                          int batches) {                                                               \
        const auto work = [=](auto factor, auto kept) {                                                                \
            bool good = batches >= 0;                                                                                  \
            for (int i = 0; i < batches && good; ++i)                                                                  \
                good = multiply(opa, opb, m, n, k, factor, as(address_in(a, i)), lda, as(address_in(b, i)), ldb, kept, \
                                as(address_in(c, i)), ldc);                                                            \
            return good;                                                                                               \
        };                                                                                                             \
        return compute(handle, work, as(alpha), as(beta));                                                             \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                                      \
        cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const type* alpha,   \
        const type* a, int lda, long long stride_a, const type* b, int ldb, long long stride_b, const type* beta,      \
        type* c, int ldc, long long stride_c, int batches) {                                                           \
        const auto work = [=](auto factor, auto kept) {                                                                \
            bool good = batches >= 0;                                                                                  \
            for (int i = 0; i < batches && good; ++i)                                                                  \
                good = multiply(opa, opb, m, n, k, factor, as(a + i * stride_a), lda, as(b + i * stride_b), ldb, kept, \
                                as(c + i * stride_c), ldc);                                                            \
            return good;                                                                                               \
        };                                                                                                             \
        return compute(handle, work, as(alpha), as(beta));                                                             \
    }                                                                                                                  \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,  \
                                   const type* alpha, const type* a, int lda, const type* beta, const type* b,         \
                                   int ldb, type* c, int ldc) {                                                        \
        const auto work = [=](auto factor_a, auto factor_b) {                                                          \
            using T = decltype(factor_a);                                                                              \
            if (!valid_shape(opa, m, n, lda) || !valid_shape(opb, m, n, ldb) || !valid_shape(m, n, ldc)) return false; \
            const bool reads_a = factor_a != T{}, reads_b = factor_b != T{};                                           \
            if (reads_a) note_read(bytes_of(opa, as(a), m, n, lda));                                                   \
            if (reads_b) note_read(bytes_of(opb, as(b), m, n, ldb));                                                   \
            note_output((a == c && reads_a) || (b == c && reads_b), bytes_of(as(c), m, n, ldc));                       \
            const Matrix<T> left{as(a), lda, opa}, right{as(b), ldb, opb};                                             \
            for (int j = 0; j < n; ++j)                                                                                \
                for (int i = 0; i < m; ++i) {                                                                          \
                    const T first = reads_a ? factor_a * left(i, j) : T{};                                             \
                    const T second = reads_b ? factor_b * right(i, j) : T{};                                           \
                    as(c)[i + std::ptrdiff_t(j) * ldc] = first + second;                                               \
                }                                                                                                      \
            return true;                                                                                               \
        };                                                                                                             \
        return compute(handle, work, as(alpha), as(beta));                                                             \
    }                                                                                                                  \
    cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,                \
                                   cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const type* alpha,   \
                                   const type* a, int lda, type* b, int ldb) {                                         \
        const auto work = [=](auto factor) {                                                                           \
            using T = decltype(factor);                                                                                \
            const bool left = side == CUBLAS_SIDE_LEFT, unit = diagonal == CUBLAS_DIAG_UNIT;                           \
            const bool lower = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);                                \
            const int size = left ? m : n;                                                                             \
            if (!valid_shape(size, size, lda) || !valid_shape(m, n, ldb)) return false;                                \
            note_output(factor != T{}, bytes_of(as(b), m, n, ldb));                                                    \
            if (factor == T{}) {                                                                                       \
                for (int j = 0; j < n; ++j) std::fill_n(as(b) + std::ptrdiff_t(j) * ldb, m, T{});                      \
                return true;                                                                                           \
            }                                                                                                          \
            note_triangle_read(fill, size, as(a), lda, unit);                                                          \
            for (int j = 0; j < n; ++j)                                                                                \
                for (int i = 0; i < m; ++i) as(b)[i + std::ptrdiff_t(j) * ldb] *= factor;                              \
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
        };                                                                                                             \
        return compute(handle, work, as(alpha));                                                                       \
    }
LANEWORK_SIMT_BLAS(S, s, float)
LANEWORK_SIMT_BLAS(D, d, double)
LANEWORK_SIMT_BLAS(C, c, cuComplex)
LANEWORK_SIMT_BLAS(Z, z, cuDoubleComplex)
#undef LANEWORK_SIMT_BLAS

#define LANEWORK_SIMT_BLAS(S, type)                                                                                    \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const type* x, int incx, const type* y, int incy,      \
                                  type* result) {                                                                      \
        return compute_number(result, handle, [=] {                                                                    \
            const Vector a(x, n, incx), b(y, n, incy);                                                                 \
            note_read(a.bytes()), note_read(b.bytes());                                                                \
            double sum = 0;                                                                                            \
            for (int i = 0; i < n; ++i) sum += double(a[i]) * double(b[i]);                                            \
            return type(sum);                                                                                          \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const type* x, int incx, type* result) {              \
        return compute_number(result, handle, [=] {                                                                    \
            const Vector a(x, n, incx);                                                                                \
            note_read(a.bytes());                                                                                      \
            type largest = 0;                                                                                          \
            for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(a[i]));                                   \
            double sum = 0;                                                                                            \
            for (int i = 0; i < n && largest > 0; ++i) sum += double(a[i] / largest) * double(a[i] / largest);         \
            return largest > 0 ? type(double(largest) * std::sqrt(sum)) : type(0);                                     \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const type* x, int incx, type* result) {              \
        return compute_number(result, handle, [=] {                                                                    \
            const Vector a(x, n, incx);                                                                                \
            note_read(a.bytes());                                                                                      \
            double sum = 0;                                                                                            \
            for (int i = 0; i < n; ++i) sum += std::abs(double(a[i]));                                                 \
            return type(sum);                                                                                          \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, type* x, int incx, type* y, int incy,                  \
                                  const type* cosine, const type* sine) {                                              \
        const auto work = [=](type cosine_of, type sine_of) {                                                          \
            const Vector a(x, n, incx), b(y, n, incy);                                                                 \
            note_changed(a.bytes()), note_changed(b.bytes());                                                          \
            for (int i = 0; i < n; ++i) {                                                                              \
                const type first = a[i], second = b[i];                                                                \
                a[i] = cosine_of * first + sine_of * second;                                                           \
                b[i] = cosine_of * second - sine_of * first;                                                           \
            }                                                                                                          \
            return true;                                                                                               \
        };                                                                                                             \
        return compute(handle, work, cosine, sine);                                                                    \
    }                                                                                                                  \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const type* alpha, const type* x, int incx,     \
                                  const type* y, int incy, type* a, int lda) {                                         \
        const auto work = [=](type factor) {                                                                           \
            if (!valid_shape(m, n, lda) || incx == 0 || incy == 0) return false;                                       \
            const Vector left(x, m, incx), right(y, n, incy);                                                          \
            note_read(left.bytes()), note_read(right.bytes());                                                         \
            note_changed(bytes_of(a, m, n, lda));                                                                      \
            for (int j = 0; j < n; ++j)                                                                                \
                for (int i = 0; i < m; ++i) a[i + std::ptrdiff_t(j) * lda] += factor * left[i] * right[j];             \
            return true;                                                                                               \
        };                                                                                                             \
        return compute(handle, work, alpha);                                                                           \
    }                                                                                                                  \
    cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t fill, int n, const type* alpha,             \
                                   const type* a, int lda, const type* x, int incx, const type* beta, type* y,         \
                                   int incy) {                                                                         \
        const auto work = [=](type factor, type kept) {                                                                \
            if (!valid_shape(n, n, lda) || incx == 0 || incy == 0) return false;                                       \
            const Vector from(x, n, incx);                                                                             \
            const Vector to(y, n, incy);                                                                               \
            if (factor != 0) note_triangle_read(fill, n, a, lda), note_read(from.bytes());                             \
            note_output(kept != 0, to.bytes());                                                                        \
            const std::vector<type> full = factor != 0 ? whole(fill, n, a, lda) : std::vector<type>();                 \
            add_product({full.data(), n, CUBLAS_OP_N}, n, n, factor, from, kept, to);                                  \
            return true;                                                                                               \
        };                                                                                                             \
        return compute(handle, work, alpha, beta);                                                                     \
    }                                                                                                                  \
    cublasStatus_t cublas##S##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,  \
                                   const type* alpha, const type* a, int lda, const type* b, int ldb,                  \
                                   const type* beta, type* c, int ldc) {                                               \
        const bool left = side == CUBLAS_SIDE_LEFT;                                                                    \
        const int size = left ? m : n, apart = std::max(1, size);                                                      \
        const auto work = [=](type factor, type kept) {                                                                \
            if (!valid_shape(size, size, lda) || !valid_shape(m, n, ldb) || !valid_shape(m, n, ldc)) return false;     \
            const bool reads = factor != 0;                                                                            \
            if (reads) note_triangle_read(fill, size, a, lda), note_read(bytes_of(b, m, n, ldb));                      \
            note_output(kept != 0, bytes_of(c, m, n, ldc));                                                            \
            const std::vector<type> full = reads ? whole(fill, size, a, lda) : std::vector<type>();                    \
            const type *const first = left ? full.data() : b, *const second = left ? b : full.data();                  \
            add_product(CUBLAS_OP_N, CUBLAS_OP_N, m, n, reads ? size : 0, factor, first, left ? apart : ldb, second,   \
                        left ? ldb : apart, kept, c, ldc);                                                             \
            return true;                                                                                               \
        };                                                                                                             \
        return compute(handle, work, alpha, beta);                                                                     \
    }                                                                                                                  \
    cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,   \
                                   const type* alpha, const type* a, int lda, const type* beta, type* c, int ldc) {    \
        const auto work = [=](type factor, type kept) {                                                                \
            const cublasOperation_t other = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;                             \
            if (!valid_shape(op, n, k, lda) || !valid_shape(n, n, ldc)) return false;                                  \
            const int depth = factor == 0 ? 0 : k;                                                                     \
            note_read(bytes_of(op, a, n, depth, lda));                                                                 \
            std::vector<type> all(std::size_t(n) * std::size_t(n));                                                    \
            add_product(op, other, n, n, depth, factor, a, lda, a, lda, type(0), all.data(), n);                       \
            each_column_of_triangle(fill, n, false, [&](int j, int begin, int end) {                                   \
                type* const column = c + std::ptrdiff_t(j) * ldc;                                                      \
                note_output(kept != 0, bytes_of(column + begin, end - begin, 1, ldc));                                 \
                for (int i = begin; i < end; ++i)                                                                      \
                    column[i] =                                                                                        \
                        all[std::size_t(i) + std::size_t(j) * std::size_t(n)] + (kept == 0 ? 0 : kept * column[i]);    \
            });                                                                                                        \
            return true;                                                                                               \
        };                                                                                                             \
        return compute(handle, work, alpha, beta);                                                                     \
    }                                                                                                                  \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const type* a, int lda, \
                                   const type* x, int incx, type* c, int ldc) {                                        \
        return compute(handle, [=] {                                                                                   \
            if (!valid_shape(m, n, lda) || !valid_shape(m, n, ldc)) return false;                                      \
            note_output(a == c, bytes_of(c, m, n, ldc));                                                               \
            const Vector diagonal(x, side == CUBLAS_SIDE_LEFT ? m : n, incx);                                          \
            note_read(bytes_of(a, m, n, lda)), note_read(diagonal.bytes());                                            \
            for (int j = 0; j < n; ++j)                                                                                \
                for (int i = 0; i < m; ++i)                                                                            \
                    c[i + std::ptrdiff_t(j) * ldc] =                                                                   \
                        a[i + std::ptrdiff_t(j) * lda] * diagonal[side == CUBLAS_SIDE_LEFT ? i : j];                   \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n, type* const a[], int lda, int* pivots,        \
                                           int* info, int batches) {                                                   \
        return compute(handle, [=] {                                                                                   \
            if (!valid_shape(n, n, lda) || batches < 0) return false;                                                  \
            note_written(bytes_of(info, batches, 1, batches));                                                         \
            if (pivots) note_written(bytes_of(pivots, n, batches, n));                                                 \
            for (int i = 0; i < batches; ++i) {                                                                        \
                type* const matrix = address_in(a, i);                                                                 \
                note_changed(bytes_of(matrix, n, n, lda));                                                             \
                info[i] = factorize(n, matrix, lda, pivots ? pivots + std::ptrdiff_t(i) * n : nullptr);                \
            }                                                                                                          \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##getriBatched(cublasHandle_t handle, int n, const type* const a[], int lda,               \
                                           const int* pivots, type* const c[], int ldc, int* info, int batches) {      \
        return compute(handle, [=] {                                                                                   \
            if (!valid_shape(n, n, lda) || !valid_shape(n, n, ldc) || batches < 0) return false;                       \
            note_written(bytes_of(info, batches, 1, batches));                                                         \
            if (pivots) note_read(bytes_of(pivots, n, batches, n));                                                    \
            for (int i = 0; i < batches; ++i) {                                                                        \
                const type* const matrix = address_in(a, i);                                                           \
                type* const inverse = address_in(c, i);                                                                \
                note_read(bytes_of(matrix, n, n, lda));                                                                \
                note_written(bytes_of(inverse, n, n, ldc));                                                            \
                info[i] = 0;                                                                                           \
                invert(n, matrix, lda, pivots ? pivots + std::ptrdiff_t(i) * n : nullptr, inverse, ldc);               \
            }                                                                                                          \
            return true;                                                                                               \
        });                                                                                                            \
    }
LANEWORK_SIMT_BLAS(S, float)
LANEWORK_SIMT_BLAS(D, double)
#undef LANEWORK_SIMT_BLAS

}  // namespace api
}  // namespace lanework_simt
