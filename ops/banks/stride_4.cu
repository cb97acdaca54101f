// Lanes 4 words apart, as in an array of four-word structures: eight banks at work.
#include "ops/banks/walk.hpp"

namespace {
using Layout = Strided<4>;

__global__ void stride_4(const std::int32_t* table, std::int32_t* out, std::int64_t n, std::int64_t sweeps) {
    __shared__ std::int32_t shared[Layout::words];
    walk<Layout, RowPerLane>(table, shared, out, n, sweeps);
}

void launch(const BanksArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    stride_4<<<blocks_for(a), kBlock, 0, stream>>>(a.table, a.out, a.n, a.sweeps);
}
}  // namespace

LANEWORK_RUNG(banks, stride_4,
              {
                  .climbs_from = "stride_8",
                  .lesson = "Lanes 4 words apart, as in an array of structures, use eight banks: 4 turns.",
                  .launch = launch,
              });
// mends: bank_conflict
