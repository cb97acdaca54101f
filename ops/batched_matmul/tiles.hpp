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
inline constexpr std::string_view kOn16Bytes = "sums of one term or more, of matrices and rows that start on 16 bytes";

inline std::string_view refuse_products_without_hopper(const Problem& p) {
    return refuse_without_hopper(one_product(p));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
