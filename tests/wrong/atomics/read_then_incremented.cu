// expect: wrong — the count is read before it is incremented: the total is right, but two threads take the same place
// says: ledger[
#include "ops/atomics/ledger.hpp"

namespace {
__global__ void read_then_incremented(std::int32_t* cells, const std::int32_t* values, std::int32_t* olds,
                                      std::int64_t calls, std::int64_t per_cell) {
    const std::int64_t call = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (call >= calls) return;
    std::int32_t* const cell = cells + call / per_cell;
    olds[call] = *cell;
    atomicAdd(cell, values[call]);  // what this returns is the place that is this thread's alone
}

void launch(const AtomicsArgs<std::int32_t>& a, cudaStream_t stream) {
    account(a, stream, [&](std::int32_t* olds) {
        read_then_incremented<<<static_cast<unsigned>(ceil_div(a.calls, kBlock)), kBlock, 0, stream>>>(
            a.final, a.values, olds, a.calls, a.per_cell);
    });
}
}  // namespace

LANEWORK_RUNG(atomics, read_then_incremented,
              {
                  .lesson = "Never: the place that an atomic function returns is the only one that is yours.",
                  .launch = launch,
                  .workspace = olds_bytes<std::int32_t>,
                  .refuses = refuse_call,
              });
