// cuBLAS's functions in plain loops: sums in the type that cuBLAS sums in, order of the loops by the columns.
#define __CUDACC__ 1  // __half's arithmetic
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>
#include <vector>

#include "src/simt/api_call.hpp"

namespace lanework_simt {
inline namespace api {

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
};
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

template <class Work>
cublasStatus_t with(cublasHandle_t handle, const Work& work) {
    if (!handles().exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (sticky_error() != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
    return work() ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

// Complex numbers are computed with as the library's own.
template <class T>
struct Number {
    using Type = T;
};
template <>
struct Number<float2> {
    using Type = std::complex<float>;
};
template <>
struct Number<double2> {
    using Type = std::complex<double>;
};
template <class T>
auto* as(T* pointer) {
    using Plain = typename Number<std::remove_const_t<T>>::Type;
    using Pointer = std::conditional_t<std::is_const_v<T>, const Plain*, Plain*>;
    return reinterpret_cast<Pointer>(pointer);
}

template <class T>
T conjugated(T x) {
    return x;
}
template <class T>
std::complex<T> conjugated(std::complex<T> x) {
    return std::conj(x);
}
/// What amax and amin compare.
template <class T>
T size_of(T x) {
    return std::abs(x);
}
template <class T>
T size_of(std::complex<T> x) {
    return std::abs(x.real()) + std::abs(x.imag());
}

/// A vector with a step; a negative one begins at its end.
template <class T>
class Vector {
public:
    Vector(T* first, int count, int step)
        : first_(step < 0 ? first - std::ptrdiff_t(count - 1) * step : first), step_(step) {}
    T& operator[](int i) const { return first_[std::ptrdiff_t(i) * step_]; }

private:
    T* first_;
    std::ptrdiff_t step_;
};

/// Element (row, column) of op(A).
template <class T>
struct Matrix {
    const T* first;
    std::ptrdiff_t columns_apart;
    cublasOperation_t op;
    T operator()(int row, int column) const {
        if (op == CUBLAS_OP_N) return first[row + column * columns_apart];
        const T x = first[column + row * columns_apart];
        return op == CUBLAS_OP_C ? conjugated(x) : x;
    }
};

/// Lines of op(A) (its rows) or op(B) (its columns), `Together` side by side: what a step of the sums needs lies
/// together. Lines that there are not are zeros.
template <int Together, class Sum, class Element>
std::vector<Sum> packed(int lines, int depth, const Element& element) {
    const std::size_t panels = (std::size_t(lines) + Together - 1) / Together;
    std::vector<Sum> values(panels * Together * std::size_t(depth));
    for (int line = 0; line < lines; ++line) {
        Sum* const first = values.data() + std::size_t(line / Together) * Together * std::size_t(depth);
        for (int p = 0; p < depth; ++p) first[p * std::ptrdiff_t(Together) + line % Together] = element(line, p);
    }
    return values;
}

/// c = alpha·op(a)·op(b) + beta·c. Both factors are copied. Each sum runs over k in its order; those of a tile are made
/// at once, in registers, and the rows of a band stay in a cache while the columns pass.
template <class Sum, class In, class Out>
bool multiply(cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, Sum alpha, const In* a, int lda,
              const In* b, int ldb, Sum beta, Out* c, int ldc) {
    if (m < 0 || n < 0 || k < 0 || ldc < (m > 1 ? m : 1)) return false;
    constexpr int kRows = 32 / sizeof(Sum), kColumns = 4, kBand = 8 * kRows;
    const Matrix<In> left{a, lda, opa}, right{b, ldb, opb};
    const auto rows = packed<kRows, Sum>(m, k, [&](int i, int p) { return Sum(left(i, p)); });
    const auto columns = packed<kColumns, Sum>(n, k, [&](int j, int p) { return Sum(right(p, j)); });
    const auto tile = [&](int i0, int j0) {
        const Sum* row = rows.data() + std::size_t(i0) * std::size_t(k);
        const Sum* column = columns.data() + std::size_t(j0) * std::size_t(k);
        Sum sums[kColumns][kRows] = {};
        for (int p = 0; p < k; ++p, row += kRows, column += kColumns)
            for (int j = 0; j < kColumns; ++j)
                for (int i = 0; i < kRows; ++i) sums[j][i] += row[i] * column[j];
        for (int j = j0; j < std::min(n, j0 + kColumns); ++j)
            for (int i = i0; i < std::min(m, i0 + kRows); ++i) {
                const Sum sum = sums[j - j0][i - i0];
                Out& out = c[i + std::ptrdiff_t(j) * ldc];
                out = Out(beta == Sum{} ? alpha * sum : alpha * sum + beta * Sum(out));
            }
    };
    for (int band = 0; band < m; band += kBand)
        for (int j = 0; j < n; j += kColumns)
            for (int i = band; i < std::min(m, band + kBand); i += kRows) tile(i, j);
    return true;
}

/// Of the types that cublasGemmEx takes; 0 for others.
long long bytes_of(cudaDataType type) {
    switch (type) {
        case CUDA_R_16F:
        case CUDA_R_16BF: return 2;
        case CUDA_R_32F: return 4;
        case CUDA_R_64F: return 8;
        default: return 0;
    }
}

cublasComputeType_t compute_type(cudaDataType type) {
    switch (type) {
        case CUDA_R_16F: return CUBLAS_COMPUTE_16F;
        case CUDA_R_64F: return CUBLAS_COMPUTE_64F;
        default: return CUBLAS_COMPUTE_32F;
    }
}

/// x with op(a)·x = b in place of b, for one column after the other.
template <class T>
void solve(const Matrix<T>& a, bool lower, bool unit, int m, Vector<T> b) {
    for (int step = 0; step < m; ++step) {
        const int i = lower ? step : m - 1 - step;
        T sum = b[i];
        for (int k = lower ? 0 : i + 1; k < (lower ? i : m); ++k) sum -= a(i, k) * b[k];
        b[i] = unit ? sum : sum / a(i, i);
    }
}

/// Both triangles of a symmetric matrix of which one is stored.
template <class T>
std::vector<T> whole(cublasFillMode_t fill, int n, const T* a, int lda) {
    std::vector<T> full(std::size_t(n) * std::size_t(n));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const bool stored = fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
            full[std::size_t(i) + std::size_t(j) * std::size_t(n)] =
                stored ? a[i + std::ptrdiff_t(j) * lda] : a[j + std::ptrdiff_t(i) * lda];
        }
    return full;
}

/// P·A = L·U in place, with partial pivoting; the first zero pivot counted from 1, or 0.
template <class T>
int factorize(int n, T* a, int lda, int* pivots) {
    const auto at = [&](int i, int j) -> T& { return a[i + std::ptrdiff_t(j) * lda]; };
    int singular = 0;
    for (int j = 0; j < n; ++j) {
        int best = j;
        for (int i = j + 1; pivots && i < n; ++i)
            if (std::abs(at(i, j)) > std::abs(at(best, j))) best = i;
        if (pivots) pivots[j] = best + 1;
        if (best != j)
            for (int k = 0; k < n; ++k) std::swap(at(j, k), at(best, k));
        if (at(j, j) == T(0)) {
            if (singular == 0) singular = j + 1;
            continue;
        }
        for (int i = j + 1; i < n; ++i) {
            const T factor = at(i, j) /= at(j, j);
            for (int k = j + 1; k < n; ++k) at(i, k) -= factor * at(j, k);
        }
    }
    return singular;
}

template <class T>
void invert(int n, const T* lu, int lda, const int* pivots, T* inverse, int ldc) {
    const Matrix<T> factors{lu, lda, CUBLAS_OP_N};
    for (int j = 0; j < n; ++j) {
        std::vector<T> column(std::size_t(n), T(0));
        column[std::size_t(j)] = T(1);
        for (int i = 0; pivots && i < n; ++i) std::swap(column[std::size_t(i)], column[std::size_t(pivots[i] - 1)]);
        solve<T>(factors, true, true, n, {column.data(), n, 1});
        solve<T>(factors, false, false, n, {column.data(), n, 1});
        for (int i = 0; i < n; ++i) inverse[i + std::ptrdiff_t(j) * ldc] = column[std::size_t(i)];
    }
}

bool copy_columns(int rows, int columns, int bytes, const void* from, int from_stride, void* to, int to_stride) {
    if (rows < 0 || columns < 0 || bytes <= 0 || from_stride <= 0 || to_stride <= 0) return false;
    for (int j = 0; j < columns; ++j)
        std::memcpy(static_cast<char*>(to) + std::ptrdiff_t(j) * to_stride * bytes,
                    static_cast<const char*>(from) + std::ptrdiff_t(j) * from_stride * bytes,
                    std::size_t(rows) * std::size_t(bytes));
    return true;
}

cublasStatus_t status(bool good) { return good ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE; }

struct StatusText {
    cublasStatus_t status;
    const char *name, *text;
};
constexpr StatusText kStatuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an invalid value was used as an argument"},
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
cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
    if (version) *version = CUBLAS_VERSION;
    return status(version);
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
    return status(copy_columns(1, n, bytes, from, step_from, to, step_to));
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* from, int step_from, void* to, int step_to) {
    return status(copy_columns(1, n, bytes, from, step_from, to, step_to));
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* from, int stride_from, void* to,
                               int stride_to) {
    return status(copy_columns(rows, columns, bytes, from, stride_from, to, stride_to));
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* from, int stride_from, void* to,
                               int stride_to) {
    return status(copy_columns(rows, columns, bytes, from, stride_from, to, stride_to));
}

#define LANEWORK_SIMT_BLAS(S, s, type)                                                                                 \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const type* alpha, const type* x, int incx, type* y,  \
                                   int incy) {                                                                         \
        return with(handle, [&] {                                                                                      \
            const Vector from(as(x), n, incx);                                                                         \
            const Vector to(as(y), n, incy);                                                                           \
            for (int i = 0; i < n; ++i) to[i] += *as(alpha) * from[i];                                                 \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const type* alpha, type* x, int incx) {               \
        return with(handle, [&] {                                                                                      \
            const Vector to(as(x), n, incx);                                                                           \
            for (int i = 0; i < n; ++i) to[i] *= *as(alpha);                                                           \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const type* x, int incx, type* y, int incy) {         \
        return with(handle, [&] {                                                                                      \
            const Vector from(as(x), n, incx);                                                                         \
            const Vector to(as(y), n, incy);                                                                           \
            for (int i = 0; i < n; ++i) to[i] = from[i];                                                               \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, type* x, int incx, type* y, int incy) {               \
        return with(handle, [&] {                                                                                      \
            const Vector a(as(x), n, incx), b(as(y), n, incy);                                                         \
            for (int i = 0; i < n; ++i) std::swap(a[i], b[i]);                                                         \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublasI##s##amax(cublasHandle_t handle, int n, const type* x, int incx, int* result) {              \
        return with(handle, [&] {                                                                                      \
            int best = 0;                                                                                              \
            for (int i = 1; i < n && incx > 0; ++i)                                                                    \
                if (size_of(as(x)[std::ptrdiff_t(i) * incx]) > size_of(as(x)[std::ptrdiff_t(best) * incx])) best = i;  \
            return *result = n > 0 && incx > 0 ? best + 1 : 0, true;                                                   \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublasI##s##amin(cublasHandle_t handle, int n, const type* x, int incx, int* result) {              \
        return with(handle, [&] {                                                                                      \
            int best = 0;                                                                                              \
            for (int i = 1; i < n && incx > 0; ++i)                                                                    \
                if (size_of(as(x)[std::ptrdiff_t(i) * incx]) < size_of(as(x)[std::ptrdiff_t(best) * incx])) best = i;  \
            return *result = n > 0 && incx > 0 ? best + 1 : 0, true;                                                   \
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
        return status(batches >= 0);                                                                                   \
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
        return status(batches >= 0);                                                                                   \
    }                                                                                                                  \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,  \
                                   const type* alpha, const type* a, int lda, const type* beta, const type* b,         \
                                   int ldb, type* c, int ldc) {                                                        \
        return with(handle, [&] {                                                                                      \
            using T = std::remove_pointer_t<decltype(as(c))>;                                                          \
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
            double sum = 0;                                                                                            \
            for (int i = 0; i < n; ++i) sum += double(a[i]) * double(b[i]);                                            \
            return *result = type(sum), true;                                                                          \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const type* x, int incx, type* result) {              \
        return with(handle, [&] {                                                                                      \
            const Vector a(x, n, incx);                                                                                \
            type largest = 0;                                                                                          \
            for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(a[i]));                                   \
            double sum = 0;                                                                                            \
            for (int i = 0; i < n && largest > 0; ++i) sum += double(a[i] / largest) * double(a[i] / largest);         \
            return *result = largest > 0 ? type(double(largest) * std::sqrt(sum)) : type(0), true;                     \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const type* x, int incx, type* result) {              \
        return with(handle, [&] {                                                                                      \
            const Vector a(x, n, incx);                                                                                \
            double sum = 0;                                                                                            \
            for (int i = 0; i < n; ++i) sum += std::abs(double(a[i]));                                                 \
            return *result = type(sum), true;                                                                          \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, type* x, int incx, type* y, int incy,                  \
                                  const type* cosine, const type* sine) {                                              \
        return with(handle, [&] {                                                                                      \
            const Vector a(x, n, incx), b(y, n, incy);                                                                 \
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
            const Vector left(x, m, incx), right(y, n, incy);                                                          \
            for (int j = 0; j < n; ++j)                                                                                \
                for (int i = 0; i < m; ++i) a[i + std::ptrdiff_t(j) * lda] += *alpha * left[i] * right[j];             \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t fill, int n, const type* alpha,             \
                                   const type* a, int lda, const type* x, int incx, const type* beta, type* y,         \
                                   int incy) {                                                                         \
        const std::vector<type> full = whole(fill, n, a, lda);                                                         \
        return cublas##S##gemv(handle, CUBLAS_OP_N, n, n, alpha, full.data(), n, x, incx, beta, y, incy);              \
    }                                                                                                                  \
    cublasStatus_t cublas##S##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,  \
                                   const type* alpha, const type* a, int lda, const type* b, int ldb,                  \
                                   const type* beta, type* c, int ldc) {                                               \
        const bool left = side == CUBLAS_SIDE_LEFT;                                                                    \
        const int size = left ? m : n;                                                                                 \
        const std::vector<type> full = whole(fill, size, a, lda);                                                      \
        return left ? cublas##S##gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, m, alpha, full.data(), m, b, ldb, beta,  \
                                      c, ldc)                                                                          \
                    : cublas##S##gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, n, alpha, b, ldb, full.data(), n, beta,  \
                                      c, ldc);                                                                         \
    }                                                                                                                  \
    cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,   \
                                   const type* alpha, const type* a, int lda, const type* beta, type* c, int ldc) {    \
        return with(handle, [&] {                                                                                      \
            std::vector<type> all(std::size_t(n) * std::size_t(n));                                                    \
            const cublasOperation_t other = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;                             \
            multiply<type>(op, other, n, n, k, *alpha, a, lda, a, lda, type(0), all.data(), n);                        \
            for (int j = 0; j < n; ++j)                                                                                \
                for (int i = 0; i < n; ++i) {                                                                          \
                    if (fill == CUBLAS_FILL_MODE_LOWER ? i < j : i > j) continue;                                      \
                    type& out = c[i + std::ptrdiff_t(j) * ldc];                                                        \
                    out = all[std::size_t(i) + std::size_t(j) * std::size_t(n)] + (*beta == 0 ? 0 : *beta * out);      \
                }                                                                                                      \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const type* a, int lda, \
                                   const type* x, int incx, type* c, int ldc) {                                        \
        return with(handle, [&] {                                                                                      \
            const Vector diagonal(x, side == CUBLAS_SIDE_LEFT ? m : n, incx);                                          \
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
            for (int i = 0; i < batches; ++i)                                                                          \
                info[i] = factorize(n, a[i], lda, pivots ? pivots + std::ptrdiff_t(i) * n : nullptr);                  \
            return true;                                                                                               \
        });                                                                                                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##getriBatched(cublasHandle_t handle, int n, const type* const a[], int lda,               \
                                           const int* pivots, type* const c[], int ldc, int* info, int batches) {      \
        return with(handle, [&] {                                                                                      \
            for (int i = 0; i < batches; ++i) {                                                                        \
                invert(n, a[i], lda, pivots ? pivots + std::ptrdiff_t(i) * n : nullptr, c[i], ldc);                    \
                info[i] = 0;                                                                                           \
            }                                                                                                          \
            return true;                                                                                               \
        });                                                                                                            \
    }
LANEWORK_SIMT_BLAS(S, float)
LANEWORK_SIMT_BLAS(D, double)
#undef LANEWORK_SIMT_BLAS

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
    if (type_a != type_b) return CUBLAS_STATUS_NOT_SUPPORTED;
    const auto multiplied = [&](auto in, auto out, auto scalar) {
        using In = decltype(in);
        using Out = decltype(out);
        using Scalar = decltype(scalar);
        using Sum = std::conditional_t<std::is_same_v<Scalar, double>, double, float>;
        return with(handle, [&] {
            return multiply<Sum>(opa, opb, m, n, k, Sum(*static_cast<const Scalar*>(alpha)), static_cast<const In*>(a),
                                 lda, static_cast<const In*>(b), ldb, Sum(*static_cast<const Scalar*>(beta)),
                                 static_cast<Out*>(c), ldc);
        });
    };
    const bool halves = type_a == CUDA_R_16F, halves_out = type_c == CUDA_R_16F;
    if (type_a == CUDA_R_16BF && type_c == CUDA_R_16BF) return multiplied(__nv_bfloat16(), __nv_bfloat16(), 0.0f);
    if (type_a == CUDA_R_16BF && type_c == CUDA_R_32F) return multiplied(__nv_bfloat16(), 0.0f, 0.0f);
    if (type_a == CUDA_R_64F && type_c == CUDA_R_64F) return multiplied(0.0, 0.0, 0.0);
    if (type_a == CUDA_R_32F && type_c == CUDA_R_32F) return multiplied(0.0f, 0.0f, 0.0f);
    if (halves && type_c == CUDA_R_32F) return multiplied(__half(), 0.0f, 0.0f);
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
    return status(batches >= 0);
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
    return status(batches >= 0);
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
