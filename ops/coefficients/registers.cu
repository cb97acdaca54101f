// A coefficient that has come from memory stays in a register while eight elements use it: an eighth of the loads, and
// no load waits in front of a multiplication that could be doing something else.
#include "ops/coefficients/elements.hpp"

namespace {
constexpr int kElements = 8;  // per thread, kBlock apart

__global__ void registers(const std::int32_t* in, const std::int32_t* coefficients, std::int32_t* out, std::int64_t n,
                          std::int64_t degree) {
    const std::int64_t first = std::int64_t{blockIdx.x} * (kElements * kBlock) + threadIdx.x;
    std::uint32_t x[kElements], product[kElements];
#pragma unroll
    for (int e = 0; e < kElements; ++e) {
        const std::int64_t i = first + e * kBlock;
        x[e] = i < n ? static_cast<std::uint32_t>(in[i]) : 0;
        product[e] = 1;
    }
#pragma unroll 4
    for (std::int64_t k = 0; k < degree; ++k) {
        const auto coefficient = static_cast<std::uint32_t>(coefficients[k]);
#pragma unroll
        for (int e = 0; e < kElements; ++e) product[e] = times_factor(product[e], x[e], coefficient);
    }
#pragma unroll
    for (int e = 0; e < kElements; ++e)
        if (const std::int64_t i = first + e * kBlock; i < n) out[i] = static_cast<std::int32_t>(product[e]);
}

void launch(const CoefficientsArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.n, kElements * kBlock));
    registers<<<blocks, kBlock, 0, stream>>>(a.in, a.coefficients, a.out, a.n, a.degree);
}
}  // namespace

LANEWORK_RUNG(coefficients, registers,
              {
                  .climbs_from = "constant_uniform",
                  .lesson = "The nearest memory is a register: read a coefficient once and use it for eight elements.",
                  .launch = launch,
              });
// mends: dependent_arithmetic, instruction_bound
