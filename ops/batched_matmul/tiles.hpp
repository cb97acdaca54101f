// Why products cannot be laid out over a grid, or computed by Hopper's units; and how kernels of `matmul` know them.
#pragma once

#include "ops/batched_matmul/operation.hpp"
#include "ops/matmul/hopper.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <int rows, int cols>
std::string_view refuse_products_beyond_grid(const Problem& p) {
    return refuse_beyond_grid<rows, cols>(one_product(p));
}
/// Whether TMA can fetch such matrices.
template <class T>
bool on_16_bytes(const T* matrix, std::int64_t pitch, std::int64_t to_next) {
    constexpr std::int64_t kUnit = 16 / sizeof(T);
    return reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && pitch % kUnit == 0 && to_next % kUnit == 0;
}
template <class T>
bool operands_on_16_bytes(const BatchedMatmulArgs<T>& x) {
    const MatmulArgs<T>& first = x.first;
    return first.n > 0 && on_16_bytes(first.a, first.a_pitch, x.to_next_a) &&
           on_16_bytes(first.b, first.b_pitch, x.to_next_b);
}
/// Whether all rows of all these matrices are whole fours of elements.
template <class T>
bool in_fours(const T* matrix, std::int64_t cols, std::int64_t pitch, std::int64_t to_next) {
    return reinterpret_cast<std::uintptr_t>(matrix) % (4 * sizeof(T)) == 0 && cols % 4 == 0 && pitch % 4 == 0 &&
           to_next % 4 == 0;
}
template <class T>
bool in_fours(const BatchedMatmulArgs<T>& x) {
    const MatmulArgs<T>& one = x.first;
    return in_fours(one.a, one.n, one.a_pitch, x.to_next_a) &&
           in_fours(one.b, one.b_by_columns ? one.n : one.k, one.b_pitch, x.to_next_b) &&
           in_fours(one.c, one.k, one.c_pitch, x.to_next_c);
}
inline constexpr std::string_view kOn16Bytes = "sums of one term or more, of matrices and rows that start on 16 bytes";

inline std::string_view refuse_products_without_hopper(const Problem& p) {
    return refuse_without_hopper(one_product(p));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
