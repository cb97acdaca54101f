// Rows of 32 words side by side, each lane in another row: the natural layout, and the worst. Words 32 apart share a
// bank, so all lanes of a warp want one bank, which hands them their words one by one.
#include "ops/banks/walk.hpp"

namespace {
using Layout = Strided<32>;

__global__ void stride_32(const std::int32_t* table, std::int32_t* out, std::int64_t n, std::int64_t sweeps) {
    __shared__ std::int32_t shared[Layout::words];
    walk<Layout, RowPerLane>(table, shared, out, n, sweeps);
}

void launch(const BanksArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    stride_32<<<blocks_for(a), kBlock, 0, stream>>>(a.table, a.out, a.n, a.sweeps);
}
}  // namespace

LANEWORK_RUNG(banks, stride_32,
              {
                  .lesson = "Lanes 32 words apart meet in one bank: 32 turns for what could take one.",
                  .launch = launch,
              });
