// Lanes 8 words apart: four banks at work.
#include "ops/banks/walk.hpp"

namespace {
using Layout = Strided<8>;

__global__ void stride_8(const std::int32_t* table, std::int32_t* out, std::int64_t n, std::int64_t sweeps) {
    __shared__ std::int32_t shared[Layout::words];
    walk<Layout, RowPerLane>(table, shared, out, n, sweeps);
}

void launch(const BanksArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    stride_8<<<blocks_for(a), kBlock, 0, stream>>>(a.table, a.out, a.n, a.sweeps);
}
}  // namespace

LANEWORK_RUNG(banks, stride_8,
              {
                  .climbs_from = "stride_16",
                  .lesson = "Lanes 8 words apart use four of the 32 banks: 8 turns.",
                  .launch = launch,
              });
// mends: bank_conflict
