// expect: wrong — reading, adding and writing are three steps: two threads read the same value, and one sum is lost
// says: final[
#include "ops/atomics/ledger.hpp"

namespace {
__global__ void plain_read_modify_write(std::int32_t* cells, const std::int32_t* values, std::int32_t* olds,
                                        std::int64_t calls, std::int64_t per_cell) {
    const std::int64_t call = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (call >= calls) return;
    std::int32_t& cell = cells[call / per_cell];
    olds[call] = cell;
    cell = atomic_sum(olds[call], values[call]);  // olds[call] = atomicAdd(&cell, values[call]) would be right
}

void launch(const AtomicsArgs<std::int32_t>& a, cudaStream_t stream) {
    account(a, stream, [&](std::int32_t* olds) {
        plain_read_modify_write<<<static_cast<unsigned>(ceil_div(a.calls, kBlock)), kBlock, 0, stream>>>(
            a.final, a.values, olds, a.calls, a.per_cell);
    });
}
}  // namespace

LANEWORK_RUNG(atomics, plain_read_modify_write,
              {
                  .lesson = "Never: what many threads change has to be changed in one step.",
                  .launch = launch,
                  .workspace = olds_bytes<std::int32_t>,
                  .refuses = refuse_call,
              });
