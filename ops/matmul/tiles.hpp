// Laying tiles of C out over a grid, and reading operands as if they were surrounded by zeros.
#pragma once

#include "ops/matmul/operation.hpp"
#include "src/cuda/quick_gelu.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// How many products of one shape a launch computes, and how many elements from a matrix to the next: none where all
/// have the same.
struct Products {
    std::int64_t count = 1, to_next_a = 0, to_next_b = 0, to_next_c = 0;

    /// Which matrix of an operand's map is that of a product.
    static constexpr int matrix(std::int64_t to_next, int product) { return to_next == 0 ? 0 : product; }
};

/// One block for each tile of rows × cols elements of C: along its columns in x, along its rows in y.
inline dim3 grid_of_tiles(std::int64_t m, std::int64_t k, int rows, int cols) {
    return dim3(static_cast<unsigned>(ceil_div(k, cols)), static_cast<unsigned>(ceil_div(m, rows)));
}

/// Why C cannot be laid out so; empty when it can.
template <int rows, int cols>
std::string_view refuse_beyond_grid(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    constexpr std::int64_t kMaxX = 2147483647, kMaxY = 65535;
    if (ceil_div(m, rows) > kMaxY) return "a grid ends at 65535 blocks along y, and this rung lays rows along it";
    if (ceil_div(k, cols) > kMaxX) return "a grid ends at 2147483647 blocks along x";
    return {};
}

/// The element at (row, col) of a rows × cols matrix; 0 outside of it.
template <class T>
__device__ T at(const T* matrix, std::int64_t rows, std::int64_t cols, std::int64_t row, std::int64_t col) {
    return row < rows && col < cols ? matrix[row * cols + col] : T{};
}

/// Element (row, col) of A·B straight from global memory: 2n loads for n multiplications.
template <class T>
__device__ Result<T> row_times_column(const T* a, const T* b, std::int64_t row, std::int64_t col, std::int64_t n,
                                      std::int64_t k) {
    SumOf<T> sum{};
    for (std::int64_t i = 0; i < n; ++i) sum = multiply_add(widened(a[row * n + i]), widened(b[i * k + col]), sum);
    return narrowed<Result<T>>(sum);
}
/// The sum of views, of B by rows or by columns.
template <class T>
__device__ SumOf<T> sum_of_views(const MatmulOperands<T>& x, std::int64_t row, std::int64_t col) {
    const T* const of_a = x.a + row * x.a_pitch;
    const T* const of_b = x.b + (x.b_by_columns ? col * x.b_pitch : col);
    const std::int64_t step = x.b_by_columns ? 1 : x.b_pitch;
    SumOf<T> sum{};
    for (std::int64_t i = 0; i < x.n; ++i) sum = multiply_add(widened(of_a[i]), widened(of_b[i * step]), sum);
    return sum;
}

template <class Sum>
__device__ Sum activated(MatmulActivation activation, Sum number) {
    if constexpr (!std::is_integral_v<Sum>) {
        if (activation == MatmulActivation::gelu) return quick_gelu_erf(number);
        if (activation == MatmulActivation::gelu_tanh) return quick_gelu_tanh(number);
    }
    return number;
}
/// What a sum becomes at (row, col) of C.
template <class T>
__device__ Result<T> finished(const Finish<T>& finish, SumOf<T> sum, std::int64_t row, std::int64_t col) {
    return narrowed<Result<T>>(activated(finish.activation, blended(finish, sum, row, col)));
}
/// Writes a sum to C, or what it becomes there.
template <bool kPlain, class Args, class Sum>
__device__ void write_sum(const Args& x, std::int64_t row, std::int64_t col, Sum sum) {
    auto& to = x.c[row * x.c_pitch + col];
    if constexpr (kPlain)
        to = narrowed<std::remove_reference_t<decltype(to)>>(sum);
    else
        to = finished(x.finish, sum, row, col);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
