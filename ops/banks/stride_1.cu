// Neighbouring lanes read neighbouring words: the table lies transposed, so that each lane has a bank of its own.
#include "ops/banks/walk.hpp"

namespace {
using Layout = Strided<1>;

__global__ void stride_1(const std::int32_t* table, std::int32_t* out, std::int64_t n, std::int64_t sweeps) {
    __shared__ std::int32_t shared[Layout::words];
    walk<Layout, RowPerLane>(table, shared, out, n, sweeps);
}

void launch(const BanksArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    stride_1<<<blocks_for(a), kBlock, 0, stream>>>(a.table, a.out, a.n, a.sweeps);
}
}  // namespace

LANEWORK_RUNG(
    banks, stride_1,
    {
        .climbs_from = "stride_2",
        .lesson =
            "Neighbouring lanes, neighbouring words: every bank hands out one word, and one turn serves the warp.",
        .launch = launch,
    });
// mends: bank_conflict
