// Coefficients: a polynomial given by its roots, B[i] = (A[i] + c[0])·(A[i] + c[1])·…, evaluated for many A[i]. Every
// element needs the same few coefficients; the rungs differ in the memory from which they come.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

LANEWORK_AXES(CoefficientsAxes, n, degree);

struct CoefficientsArgs {
    using Element = std::int32_t;
    const std::int32_t* in;            ///< n elements
    const std::int32_t* coefficients;  ///< degree
    std::int32_t* out;                 ///< n elements; each 1 for degree 0
    std::int64_t n;                    ///< elements; may exceed 2^31
    std::int64_t degree;               ///< coefficients
    Prepared* prepared;                ///< what the rung prepared, if anything

    static CoefficientsArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, coefficients, out] = buffers.arrays<const std::int32_t, const std::int32_t, std::int32_t>();
        const auto [n, degree] = problem.lengths<CoefficientsAxes>();
        return {in, coefficients, out, n, degree, buffers.prepared};
    }
};

/// One more factor, modulo 2^32. The order of factors does not matter: a thread may begin with any.
constexpr std::uint32_t times_factor(std::uint32_t product, std::uint32_t x, std::uint32_t coefficient) {
    return product * (x + coefficient);
}

}  // namespace lanework

using coefficients_signature = lanework::Signature<lanework::CoefficientsArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
