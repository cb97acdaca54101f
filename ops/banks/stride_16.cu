// Lanes 16 words apart: banks 0 and 16 serve half of the warp each.
#include "ops/banks/walk.hpp"

namespace {
using Layout = Strided<16>;

__global__ void stride_16(const std::int32_t* table, std::int32_t* out, std::int64_t n, std::int64_t sweeps) {
    __shared__ std::int32_t shared[Layout::words];
    walk<Layout, RowPerLane>(table, shared, out, n, sweeps);
}

void launch(const BanksArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    stride_16<<<blocks_for(a), kBlock, 0, stream>>>(a.table, a.out, a.n, a.sweeps);
}
}  // namespace

LANEWORK_RUNG(banks, stride_16,
              {
                  .climbs_from = "stride_32",
                  .lesson = "Lanes 16 words apart use two of the 32 banks: 16 turns.",
                  .launch = launch,
              });
// mends: bank_conflict
