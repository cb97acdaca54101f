// The natural layout with one unused word behind each row: 33 and 32 have no common factor, so the lanes' words fall on
// 32 different banks, without turning the table round.
#include "ops/banks/walk.hpp"

namespace {
using Layout = Padded;

__global__ void stride_33(const std::int32_t* table, std::int32_t* out, std::int64_t n, std::int64_t sweeps) {
    __shared__ std::int32_t shared[Layout::words];
    walk<Layout, RowPerLane>(table, shared, out, n, sweeps);
}

void launch(const BanksArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    stride_33<<<blocks_for(a), kBlock, 0, stream>>>(a.table, a.out, a.n, a.sweeps);
}
}  // namespace

LANEWORK_RUNG(
    banks, stride_33,
    {
        .climbs_from = "stride_32",
        .lesson = "One word of padding per row makes the stride odd, and any odd stride meets every bank once.",
        .launch = launch,
    });
// mends: bank_conflict
