// A thread adds up its own rounds in a register and meets the others once.
#include "ops/tally/grid.hpp"

namespace {
__global__ void private_sums(const std::int32_t* values, std::int32_t* out, std::int64_t threads, std::int64_t cells,
                             std::int64_t rounds) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kTallyThreads + threadIdx.x;
    if (i < threads) atomicAdd(out + i % cells, wrapping_product(values[i], rounds));
}

void launch(const TallyArgs& a, cudaStream_t stream) {
    if (!begin_tally(a, stream)) return;
    private_sums<<<tally_blocks(a), kTallyThreads, 0, stream>>>(a.values, a.out, a.threads, a.cells, a.rounds);
}
}  // namespace

LANEWORK_RUNG(tally, private_sums,
              {
                  .climbs_from = "shared_atomics",
                  .lesson = "What a thread can add up alone it should: then it meets the others once, not every time.",
                  .launch = launch,
              });
