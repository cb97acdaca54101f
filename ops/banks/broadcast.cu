// All lanes read the same word. That is no conflict: a bank that is asked for one word hands it to everybody who asked.
// Only different words of one bank take turns.
#include "ops/banks/walk.hpp"

namespace {
using Layout = Strided<32>;

__global__ void broadcast(const std::int32_t* table, std::int32_t* out, std::int64_t n, std::int64_t sweeps) {
    __shared__ std::int32_t shared[Layout::words];
    walk<Layout, OneRow>(table, shared, out, n, sweeps);
}

void launch(const BanksArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    broadcast<<<blocks_for(a), kBlock, 0, stream>>>(a.table, a.out, a.n, a.sweeps);
}
}  // namespace

LANEWORK_RUNG(banks, broadcast,
              {
                  .climbs_from = "stride_1",
                  .lesson = "Lanes that read the same word share one turn, whichever bank it is in.",
                  .launch = launch,
              });
