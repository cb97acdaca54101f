// finding: race at line 12
// Reading, adding and writing are three steps: what another thread adds between them is lost.
#include "ops/tally/grid.hpp"

namespace {
__global__ void plain_addition(const std::int32_t* values, std::int32_t* out, std::int64_t threads, std::int64_t cells,
                               std::int64_t rounds) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kTallyThreads + threadIdx.x;
    if (i >= threads) return;
    const std::int32_t value = values[i];
    std::int32_t* const cell = out + i % cells;
    for (std::int64_t round = 0; round < rounds; ++round) *cell += value;  // atomicAdd(cell, value) would be right
}

void launch(const TallyArgs& a, cudaStream_t stream) {
    if (!begin_tally(a, stream)) return;
    plain_addition<<<tally_blocks(a), kTallyThreads, 0, stream>>>(a.values, a.out, a.threads, a.cells, a.rounds);
}
}  // namespace

LANEWORK_RUNG(tally, plain_addition, {.lesson = "Never: many threads add to one cell.", .launch = launch});
