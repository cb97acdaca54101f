// finding: constant_serialised at line 14
// Each lane begins with a coefficient of its own. Constant memory serves one address at a time.
#include "ops/coefficients/constant_bank.hpp"

namespace {
__constant__ TwiceInARow bank;

__global__ void lanes_begin_apart(const std::int32_t* in, std::int32_t* out, std::int64_t n, std::int64_t degree) {
    const std::int64_t i = own_element();
    if (i >= n) return;
    const unsigned first = first_of(threadIdx.x % kWarp, kWarp, degree);  // 0 for all lanes would be right
    std::uint32_t product = 1;
    for (std::int64_t k = 0; k < degree; ++k) {
        const std::int32_t coefficient = bank.value[first + k];
        product = times_factor(product, static_cast<std::uint32_t>(in[i]), static_cast<std::uint32_t>(coefficient));
    }
    out[i] = static_cast<std::int32_t>(product);
}

void launch(const CoefficientsArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    load_constants(bank, a, stream);
    lanes_begin_apart<<<blocks_for(a), kBlock, 0, stream>>>(a.in, a.out, a.n, a.degree);
}
}  // namespace

LANEWORK_RUNG(coefficients, lanes_begin_apart,
              {
                  .lesson = "Never: constant memory is for what all lanes want at once.",
                  .launch = launch,
                  .refuses = refuse_beyond_constant_memory,
              });
