// What the product is, and which sizes it is verified and timed on.
#include "ops/coefficients/operation.hpp"

#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

// Around a warp and a block; degrees around a warp's lanes, and as many coefficients as fit each of the small memories,
// and one more.
constexpr Extents kVerified[] = {extents(0, 4),     extents(1, 0),      extents(1, 1),      extents(31, 3),
                                 extents(33, 5),    extents(255, 31),   extents(257, 32),   extents(1000, 33),
                                 extents(4099, 16), extents(2049, 7),   extents(100, 1000), extents(3, 8192),
                                 extents(3, 8193),  extents(2, 12'288), extents(2, 12'289)};
constexpr Extents kCuda[] = {extents(1 << 22, 256), extents(1 << 24, 32)};
constexpr Extents kSimt[] = {extents(1 << 12, 64)};
constexpr Extents kCpu[] = {extents(1 << 20, 256)};

std::size_t count(const Problem& p) { return static_cast<std::size_t>(p.lengths<CoefficientsAxes>().n); }
std::size_t degree(const Problem& p) { return static_cast<std::size_t>(p.lengths<CoefficientsAxes>().degree); }

void reference(const CoefficientsArgs& a) {
    for (std::int64_t i = 0; i < a.n; ++i) {
        std::uint32_t product = 1;
        for (std::int64_t k = 0; k < a.degree; ++k)
            product *= static_cast<std::uint32_t>(a.in[i]) + static_cast<std::uint32_t>(a.coefficients[k]);
        a.out[i] = static_cast<std::int32_t>(product);
    }
}

/// Even elements and odd coefficients, so that every factor is odd: a product of any would soon be 0 modulo 2^32.
void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto [in, coefficients] = b.arrays<std::int32_t, std::int32_t>();
    fill_uniform(in, count(p), seed);
    for (std::size_t i = 0; i < count(p); ++i) in[i] &= ~1;
    fill_uniform(coefficients, degree(p), ~seed);
    for (std::size_t k = 0; k < degree(p); ++k) coefficients[k] |= 1;
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"in", Role::input, p.dtype, count(p)},
            {"coefficients", Role::input, p.dtype, degree(p)},
            {"out", Role::output, p.dtype, count(p)}};
}

/// An addition and a multiplication for each factor.
Work work(const Problem& p) { return work_of(buffers(p), 2 * count(p) * degree(p)); }

}  // namespace

LANEWORK_OPERATION(coefficients,
                   {
                       .summary = "B[i] = (A[i] + c[0])·(A[i] + c[1])· … ·(A[i] + c[degree−1])",
                       .axes = CoefficientsAxes::names,
                       .verified = kVerified,
                       .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                       .buffers = buffers,
                       .work = work,
                       .fill = fill,
                       .inputs = kHardIntegers,
                       .reference = reference,
                       .tolerance =
                           [](const Problem&) {
                               return Tolerance{.reason = "integers are multiplied modulo 2^32, in any order"};
                           },
                   });
