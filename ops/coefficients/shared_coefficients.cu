// Each block copies the coefficients to shared memory. A word that all lanes read is no bank conflict, so these are
// broadcasts too, of up to four coefficients each; what differs from constant memory is that lanes may disagree.
#include "ops/coefficients/elements.hpp"

namespace {
constexpr std::int64_t kMost = (48 << 10) / sizeof(std::int32_t);

__global__ void shared_coefficients(const std::int32_t* in, const std::int32_t* coefficients, std::int32_t* out,
                                    std::int64_t n, std::int64_t degree) {
    extern __shared__ std::int32_t copy[];
    for (std::int64_t k = threadIdx.x; k < degree; k += kBlock) copy[k] = coefficients[k];
    __syncthreads();
    const std::int64_t i = own_element();
    if (i < n) out[i] = evaluate(in[i], degree, [=](std::int64_t k) { return copy[k]; });
}

void launch(const CoefficientsArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    const std::size_t bytes = static_cast<std::size_t>(a.degree) * sizeof(std::int32_t);
    shared_coefficients<<<blocks_for(a), kBlock, bytes, stream>>>(a.in, a.coefficients, a.out, a.n, a.degree);
}

std::string_view refuses(const Problem& p) {
    return p.lengths<CoefficientsAxes>().degree <= kMost ? std::string_view()
                                                         : "a block's 48 KiB of shared memory hold 12288 coefficients";
}
}  // namespace

LANEWORK_RUNG(coefficients, shared_coefficients,
              {
                  .climbs_from = "texture_coefficients",
                  .lesson = "Shared memory broadcasts a word that all lanes read, and takes a copy per block to fill.",
                  .launch = launch,
                  .refuses = refuses,
              });
// mends: redundant_loads
