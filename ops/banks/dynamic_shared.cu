// The padded table in memory whose size the launch names, as its third argument: the one way to a size that is known
// late, or beyond 48 KiB (after cudaFuncSetAttribute). There is one such array per block, without a shape: rows are
// found by a pitch. The banks do not care how memory was asked for.
#include "ops/banks/walk.hpp"

namespace {
__global__ void dynamic_shared(const std::int32_t* table, std::int32_t* out, std::int64_t n, std::int64_t sweeps,
                               unsigned pitch) {
    extern __shared__ std::int32_t words[];
    for (unsigned i = threadIdx.x; i < kTableWords; i += kBlock) words[i / kWords * pitch + i % kWords] = table[i];
    __syncthreads();
    sweep(out, n, sweeps, [=](unsigned turn, std::uint32_t x) {
        return take_in_row<Padded>(words + RowPerLane::row(turn) * pitch, x);
    });
}

void launch(const BanksArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    const unsigned pitch = kWords + 1;
    dynamic_shared<<<blocks_for(a), kBlock, kRows * pitch * sizeof(std::int32_t), stream>>>(a.table, a.out, a.n,
                                                                                            a.sweeps, pitch);
}
}  // namespace

LANEWORK_RUNG(banks, dynamic_shared,
              {
                  .climbs_from = "static_shared",
                  .lesson = "The launch may decide how much shared memory there is; reading it costs the same.",
                  .launch = launch,
              });
