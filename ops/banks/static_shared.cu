// The padded table as a matrix whose shape is part of its type. A compiler that knows every offset writes them into the
// read instructions, counts the bytes per block, and refuses more than 48 KiB.
#include "ops/banks/walk.hpp"

namespace {
__global__ void static_shared(const std::int32_t* table, std::int32_t* out, std::int64_t n, std::int64_t sweeps) {
    __shared__ std::int32_t rows[kRows][Padded::stride];
    for (unsigned i = threadIdx.x; i < kTableWords; i += kBlock) rows[i / kWords][i % kWords] = table[i];
    __syncthreads();
    sweep(out, n, sweeps,
          [&](unsigned turn, std::uint32_t x) { return take_in_row<Padded>(rows[RowPerLane::row(turn)], x); });
}

void launch(const BanksArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    static_shared<<<blocks_for(a), kBlock, 0, stream>>>(a.table, a.out, a.n, a.sweeps);
}
}  // namespace

LANEWORK_RUNG(banks, static_shared,
              {
                  .climbs_from = "stride_33",
                  .lesson = "Shared memory of a constant size is an ordinary array, padding and all, up to 48 KiB.",
                  .launch = launch,
              });
