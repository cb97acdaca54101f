// Lanes 2 words apart, as in an array of pairs: every other bank idles.
#include "ops/banks/walk.hpp"

namespace {
using Layout = Strided<2>;

__global__ void stride_2(const std::int32_t* table, std::int32_t* out, std::int64_t n, std::int64_t sweeps) {
    __shared__ std::int32_t shared[Layout::words];
    walk<Layout, RowPerLane>(table, shared, out, n, sweeps);
}

void launch(const BanksArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    stride_2<<<blocks_for(a), kBlock, 0, stream>>>(a.table, a.out, a.n, a.sweeps);
}
}  // namespace

LANEWORK_RUNG(banks, stride_2,
              {
                  .climbs_from = "stride_4",
                  .lesson = "Lanes 2 words apart leave every other bank idle: 2 turns.",
                  .launch = launch,
              });
// mends: bank_conflict
