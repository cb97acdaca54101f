// expect: wrong — threads read words of the table that other threads have yet to copy
// says: out[
#include "ops/banks/walk.hpp"

namespace {
__global__ void missing_barrier(const std::int32_t* table, std::int32_t* out, std::int64_t n, std::int64_t sweeps) {
    __shared__ std::int32_t rows[kRows][Padded::stride];
    for (unsigned i = threadIdx.x; i < kTableWords; i += kBlock) rows[i / kWords][i % kWords] = table[i];
    // Here __syncthreads() is missing.
    sweep(out, n, sweeps,
          [&](unsigned turn, std::uint32_t x) { return take_in_row<Padded>(rows[RowPerLane::row(turn)], x); });
}

void launch(const BanksArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    missing_barrier<<<blocks_for(a), kBlock, 0, stream>>>(a.table, a.out, a.n, a.sweeps);
}
}  // namespace

LANEWORK_RUNG(banks, missing_barrier,
              {.lesson = "Never: a block's threads share what all have written.", .launch = launch});
