// Products of many matrices of one shape: C[p] = A[p]·B[p], each m×k = m×n times n×k, all row-major; of each B its
// transpose may be given. Elements of 16 bits are summed in float.
#pragma once

#include <algorithm>

#include "ops/matmul/operation.hpp"

namespace lanework {

/// So many products; each C = A·B is m × k, its sums have n terms.
LANEWORK_AXES(BatchedMatmulAxes, products, m, n, k);

template <class T>
struct BatchedMatmulArgs {
    using Element = T;
    MatmulArgs<T> first;  ///< the product of number 0, without an epilogue
    std::int64_t products;
    std::int64_t to_next_a, to_next_b, to_next_c;  ///< elements from a matrix to the next; 0: all have the same

    constexpr bool empty() const { return products == 0 || first.m == 0 || first.k == 0; }
    /// The operands of one product.
    constexpr MatmulOperands<T> product(std::int64_t number) const {
        MatmulOperands<T> one = first;
        one.a += number * to_next_a;
        one.b += number * to_next_b;
        one.c += number * to_next_c;
        return one;
    }
    /// Those from `begin` on, so many of them.
    BatchedMatmulArgs part(std::int64_t begin, std::int64_t count) const {
        BatchedMatmulArgs some = *this;
        static_cast<MatmulOperands<T>&>(some.first) = product(begin);
        some.products = count;
        return some;
    }

    static BatchedMatmulArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [a, b, c] = buffers.arrays<const T, const T, T>();
        const auto [products, m, n, k] = problem.lengths<BatchedMatmulAxes>();
        const bool b_by_columns = form_of(problem) == MatmulForm::nt;
        return {{{a, b, c, m, n, k, buffers.workspace, n, b_by_columns ? n : k, k, b_by_columns}, {}},
                products,
                m * n,
                n * k,
                m * k};
    }
};

/// One of the products, as a problem of `matmul`.
inline Problem one_product(const Problem& p) {
    const auto [products, m, n, k] = p.lengths<BatchedMatmulAxes>();
    return {extents(m, n, k), p.dtype, p.variant};
}

inline constexpr std::int64_t kMostAlongZ = 65535;  ///< blocks of a grid

/// Calls launch(some of the products) for all of them, as many at once as a grid has blocks along z.
template <class T, class Launch>
void launch_along_z(const BatchedMatmulArgs<T>& x, const Launch& launch) {
    if (x.empty()) return;
    for (std::int64_t begin = 0; begin < x.products; begin += kMostAlongZ)
        launch(x.part(begin, std::min(kMostAlongZ, x.products - begin)));
}

}  // namespace lanework

using batched_matmul_signature =
    lanework::Signature<lanework::BatchedMatmulArgs<float>, lanework::BatchedMatmulArgs<lanework::float16>,
                        lanework::BatchedMatmulArgs<lanework::bfloat16>>;
