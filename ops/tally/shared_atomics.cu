// A block adds in its own shared memory, where only its threads meet, and hands each of its cells on once.
#include "ops/tally/grid.hpp"

namespace {
constexpr std::int64_t kMostCells = 4096;  // 16 KiB: several blocks still fit on a multiprocessor

__global__ void shared_atomics(const std::int32_t* values, std::int32_t* out, std::int64_t threads, int cells,
                               std::int64_t rounds) {
    extern __shared__ std::int32_t own[];
    for (int c = static_cast<int>(threadIdx.x); c < cells; c += kTallyThreads) own[c] = 0;
    __syncthreads();
    const std::int64_t i = std::int64_t{blockIdx.x} * kTallyThreads + threadIdx.x;
    if (i < threads) {
        const std::int32_t value = values[i];
        std::int32_t* const cell = own + i % cells;
        for (std::int64_t round = 0; round < rounds; ++round) atomicAdd(cell, value);
    }
    __syncthreads();
    for (int c = static_cast<int>(threadIdx.x); c < cells; c += kTallyThreads) atomicAdd(out + c, own[c]);
}

void launch(const TallyArgs& a, cudaStream_t stream) {
    if (!begin_tally(a, stream)) return;
    shared_atomics<<<tally_blocks(a), kTallyThreads, a.bytes(), stream>>>(a.values, a.out, a.threads,
                                                                          static_cast<int>(a.cells), a.rounds);
}

std::string_view refuses(const Problem& p) {
    return p.lengths<TallyAxes>().cells <= kMostCells
               ? std::string_view()
               : "a block's own cells must fit into its shared memory: at most 4096";
}
}  // namespace

LANEWORK_RUNG(tally, shared_atomics,
              {
                  .climbs_from = "global_atomics",
                  .lesson = "Meet inside the block first: shared memory is near, and only its threads queue there.",
                  .launch = launch,
                  .refuses = refuses,
              });
// mends: contended_atomics
