// Every addition goes to memory, in practice to the second-level cache: its units add, one after the other where they
// are asked for the same cell.
#include "ops/tally/grid.hpp"

namespace {
__global__ void global_atomics(const std::int32_t* values, std::int32_t* out, std::int64_t threads, std::int64_t cells,
                               std::int64_t rounds) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kTallyThreads + threadIdx.x;
    if (i >= threads) return;
    const std::int32_t value = values[i];
    std::int32_t* const cell = out + i % cells;
    for (std::int64_t round = 0; round < rounds; ++round) atomicAdd(cell, value);
}

void launch(const TallyArgs& a, cudaStream_t stream) {
    if (!begin_tally(a, stream)) return;
    global_atomics<<<tally_blocks(a), kTallyThreads, 0, stream>>>(a.values, a.out, a.threads, a.cells, a.rounds);
}
}  // namespace

LANEWORK_RUNG(
    tally, global_atomics,
    {
        .lesson = "All threads of the grid meet in the second-level cache, and wait for their turn at a cell.",
        .launch = launch,
    });
