// What cuBLAS's functions compute, in plain loops: columns lie one after the other, sums run in the type that cuBLAS
// sums in.
#pragma once

#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/simt/library_turn.hpp"

namespace lanework_simt::dense {

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

/// Columns of a matrix; also of one of which op(matrix) has so many rows and columns.
template <class T>
StridedBytes bytes_of(const T* first, int rows, int columns, int columns_apart) {
    return StridedBytes::of(first, std::size_t(rows), std::size_t(columns), std::size_t(columns_apart));
}
template <class T>
StridedBytes bytes_of(cublasOperation_t op, const T* first, int rows, int columns, int columns_apart) {
    return op == CUBLAS_OP_N ? bytes_of(first, rows, columns, columns_apart)
                             : bytes_of(first, columns, rows, columns_apart);
}

/// What is about to be written, or changed where it is read first: where nobody wrote it, its new values come from
/// nowhere, too.
inline void note_output(bool read, const StridedBytes& to) { read ? note_changed(to) : note_written(to); }

/// Address `i` of an array of them that the device has.
template <class T>
T* address_in(T* const* all, int i) {
    note_read(StridedBytes::of(all + i, 1));
    return all[i];
}

/// Which rows of each column are in a triangle of n columns: see(column, first, end). Without the diagonal where that
/// is known to be ones.
template <class See>
void each_column_of_triangle(cublasFillMode_t fill, int n, bool unit, const See& see) {
    for (int j = 0; j < n; ++j) fill == CUBLAS_FILL_MODE_LOWER ? see(j, j + unit, n) : see(j, 0, j + !unit);
}
template <class T>
void note_triangle_read(cublasFillMode_t fill, int n, const T* a, int lda, bool unit = false) {
    if (!observer()) return;
    each_column_of_triangle(fill, n, unit, [&](int j, int first, int end) {
        note_read(bytes_of(a + std::ptrdiff_t(j) * lda + first, end - first, 1, lda));
    });
}

/// A vector with a step; a negative one begins at its end.
template <class T>
class Vector {
public:
    Vector(T* first, int count, int step)
        : first_(step < 0 ? first - std::ptrdiff_t(count - 1) * step : first), step_(step), count_(count) {}
    T& operator[](int i) const { return first_[std::ptrdiff_t(i) * step_]; }

    /// Elements side by side are one run.
    StridedBytes bytes() const {
        if (count_ <= 0) return {};
        const std::size_t apart = std::size_t(std::abs(step_));
        return StridedBytes::of(&(*this)[step_ < 0 ? count_ - 1 : 0], 1, apart == 0 ? 1 : std::size_t(count_), apart);
    }

private:
    T* first_;
    std::ptrdiff_t step_;
    int count_;
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

/// Whether a matrix can be laid out like this: no size is negative, and columns do not overlap.
inline bool valid_shape(int rows, int columns, int columns_apart) {
    return rows >= 0 && columns >= 0 && columns_apart >= std::max(1, rows);
}
/// The same for a matrix of which op(matrix) has so many rows and columns.
inline bool valid_shape(cublasOperation_t op, int rows, int columns, int columns_apart) {
    return op == CUBLAS_OP_N ? valid_shape(rows, columns, columns_apart) : valid_shape(columns, rows, columns_apart);
}

/// c = alpha·op(a)·op(b) + beta·c, of matrices of valid shapes. Both factors are copied. Each sum runs over k in its
/// order; those of a tile are made at once, in registers, and the rows of a band stay in a cache while the columns
/// pass.
template <class Sum, class In, class Out>
void add_product(cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, Sum alpha, const In* a, int lda,
                 const In* b, int ldb, Sum beta, Out* c, int ldc) {
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
}

/// The same for a caller's matrices: false where a size is negative or columns are closer together than they are long.
/// Factors are not read where alpha is 0.
template <class Sum, class In, class Out>
bool multiply(cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, Sum alpha, const In* a, int lda,
              const In* b, int ldb, Sum beta, Out* c, int ldc) {
    if (!valid_shape(opa, m, k, lda) || !valid_shape(opb, k, n, ldb) || !valid_shape(m, n, ldc)) return false;
    if (alpha == Sum{}) k = 0;
    note_read(bytes_of(opa, a, m, k, lda));
    note_read(bytes_of(opb, b, k, n, ldb));
    note_output(beta != Sum{}, bytes_of(c, m, n, ldc));
    add_product(opa, opb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    return true;
}

/// y = alpha·a·x + beta·y, of a matrix of so many rows and columns; neither it nor x is read where alpha is 0.
template <class T>
void add_product(const Matrix<T>& a, int rows, int columns, T alpha, const Vector<const T>& x, T beta,
                 const Vector<T>& y) {
    for (int i = 0; i < rows; ++i) {
        T sum{};
        for (int k = 0; k < columns && alpha != T{}; ++k) sum += a(i, k) * x[k];
        y[i] = beta == T{} ? alpha * sum : alpha * sum + beta * y[i];
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

}  // namespace lanework_simt::dense
