// Laying tiles of C out over a grid, and reading operands as if they were surrounded by zeros.
#pragma once

#include "ops/matmul/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// One block for each tile of rows × cols elements of C: along its columns in x, along its rows in y.
inline dim3 grid_of_tiles(std::int64_t m, std::int64_t k, int rows, int cols) {
    return dim3(static_cast<unsigned>(ceil_div(k, cols)), static_cast<unsigned>(ceil_div(m, rows)));
}

/// Why C cannot be laid out so; empty when it can.
template <int rows, int cols>
std::string_view refuse_beyond_grid(const Problem& p) {
    constexpr std::int64_t kMaxX = 2147483647, kMaxY = 65535;
    if (ceil_div(p.extent[0], rows) > kMaxY)
        return "a grid ends at 65535 blocks along y, and this rung lays rows along it";
    if (ceil_div(p.extent[2], cols) > kMaxX) return "a grid ends at 2147483647 blocks along x";
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
/// The same where B is given by columns: two rows, in memory.
template <class T>
__device__ Result<T> row_times_given_column(const T* a, const T* b, std::int64_t row, std::int64_t col,
                                            std::int64_t n) {
    SumOf<T> sum{};
    for (std::int64_t i = 0; i < n; ++i) sum = multiply_add(widened(a[row * n + i]), widened(b[col * n + i]), sum);
    return narrowed<Result<T>>(sum);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
