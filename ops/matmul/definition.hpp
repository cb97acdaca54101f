// What a product of matrices is, and how far an element may be off: for every operation that computes products.
#pragma once

#include <lanework/operation.hpp>

#include "ops/matmul/operation.hpp"

namespace lanework {

/// Floats are summed in double and rounded to C's type once, integers modulo 2^32. Neither pitches nor the workspace
/// are looked at.
template <class T>
void reference_product(const MatmulArgs<T>& x);
/// |alpha|·|A|·|B| + |bias| + |beta·addend|, m × k: the sum of the magnitudes of each element's terms; of floats.
template <class T>
void magnitudes_of_product(const MatmulArgs<T>& x, double* of);

constexpr bool has_integer_sums(DType dtype) { return dtype == DType::int32 || dtype == DType::int8; }
/// Of a problem of `matmul`: for any finite input, and for elements in [-1, 1).
Tolerance product_tolerance(const Problem& p);
Tolerance random_product_tolerance(const Problem& p);

/// Numbers in [-1, 1), or any integers.
template <class T>
void fill_elements(T* values, std::size_t count, std::uint64_t seed);

}  // namespace lanework
