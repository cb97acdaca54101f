// An addition that the hardware need not have: read, add, and swap the sum in if the cell still holds what was read;
// else once more. Any function of up to 64 bits can be made so, and before compute capability 6.0 this was the only way
// to add doubles. Under contention most attempts are in vain.
#include "ops/atomics/ledger.hpp"

namespace {
/// atomicAdd for doubles. Bits are compared, not numbers: a NaN would never equal itself.
__device__ double add(double* cell, double value) {
    auto* const bits = reinterpret_cast<unsigned long long*>(cell);
    unsigned long long guess = 0;
    for (;;) {
        const double sum = __longlong_as_double(static_cast<long long>(guess)) + value;
        const unsigned long long found =
            atomicCAS(bits, guess, static_cast<unsigned long long>(__double_as_longlong(sum)));
        if (found == guess) return __longlong_as_double(static_cast<long long>(found));
        guess = found;
    }
}

__global__ void double_add_by_cas(double* cells, const double* values, double* olds, std::int64_t calls,
                                  std::int64_t per_cell) {
    const std::int64_t call = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (call < calls) olds[call] = add(cells + call / per_cell, values[call]);
}

void launch(const AtomicsArgs<double>& a, cudaStream_t stream) {
    account(a, stream, [&](double* olds) {
        double_add_by_cas<<<static_cast<unsigned>(ceil_div(a.calls, kBlock)), kBlock, 0, stream>>>(
            a.final, a.values, olds, a.calls, a.per_cell);
    });
}

std::string_view refuses(const Problem& p) {
    if (static_cast<AtomicFunction>(p.variant) != AtomicFunction::add) return "it adds, and does nothing else";
    return refuse_call(p);
}
}  // namespace

LANEWORK_RUNG(atomics, double_add_by_cas,
              {
                  .lesson = "Compare-and-swap in a loop makes any function atomic, one success per round.",
                  .launch = launch,
                  .workspace = olds_bytes<double>,
                  .refuses = refuses,
              });
