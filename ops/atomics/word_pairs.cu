// Sixteen bytes change as one where the hardware has atomicExch and atomicCAS of them (compute capability 9.0): two
// words of 64 bits side by side. One exchange then makes the calls on two cells, and so does one compare-and-swap; a
// call whose neighbour has none swaps that one in as it was.
// architectures: 90-virtual 90-real
#include "ops/atomics/ledger.hpp"

namespace {
/// Two cells.
struct alignas(16) Pair {
    unsigned long long low, high;
    friend __device__ bool operator==(const Pair& a, const Pair& b) { return a.low == b.low && a.high == b.high; }
};

/// Replaces both by `change` of them; what they were. The first guess is 0.
template <class Change>
__device__ Pair update(Pair* cells, Change change) {
    Pair guess{0, 0};
    for (;;) {
        const Pair found = atomicCAS(cells, guess, change(guess));
        if (found == guess) return found;
        guess = found;
    }
}

/// What a call leaves in a cell.
template <AtomicFunction function>
__device__ unsigned long long changed(unsigned long long old, unsigned long long value) {
    return function == AtomicFunction::exch ? value : old + value;
}

/// A thread makes call t of the even cell of a pair and call t of the odd one.
template <AtomicFunction function>
__global__ void word_pairs(std::uint64_t* cells, const std::uint64_t* values, std::uint64_t* olds, std::int64_t calls,
                           std::int64_t per_cell, std::int64_t count) {
    const std::int64_t thread = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    const std::int64_t even = thread / per_cell * 2, low = even * per_cell + thread % per_cell, high = low + per_cell;
    if (low >= calls) return;
    const bool both = high < calls;
    if (even + 1 == count) {  // the last of an odd number stands alone
        auto* const cell = reinterpret_cast<unsigned long long*>(cells + even);
        olds[low] = DeviceScope::call<function>(cell, static_cast<unsigned long long>(values[low]));
        return;
    }
    auto* const pair = reinterpret_cast<Pair*>(cells + even);
    const unsigned long long of_low = values[low], of_high = both ? values[high] : 0;
    const Pair old = function == AtomicFunction::exch && both
                         ? atomicExch(pair, Pair{of_low, of_high})
                         : update(pair, [=](const Pair& now) {
                               return Pair{changed<function>(now.low, of_low),
                                           both ? changed<function>(now.high, of_high) : now.high};
                           });
    olds[low] = old.low;
    if (both) olds[high] = old.high;
}

void launch(const AtomicsArgs<std::uint64_t>& a, cudaStream_t stream) {
    account(a, stream, [&](std::uint64_t* olds) {
        const std::int64_t threads = ceil_div(a.cells(), std::int64_t{2}) * a.per_cell;
        const auto blocks = static_cast<unsigned>(ceil_div(threads, std::int64_t{kBlock}));
        if (a.function == AtomicFunction::exch)
            word_pairs<AtomicFunction::exch>
                <<<blocks, kBlock, 0, stream>>>(a.final, a.values, olds, a.calls, a.per_cell, a.cells());
        else
            word_pairs<AtomicFunction::cas>
                <<<blocks, kBlock, 0, stream>>>(a.final, a.values, olds, a.calls, a.per_cell, a.cells());
    });
}

std::string_view refuses(const Problem& p) {
    const auto function = static_cast<AtomicFunction>(p.variant);
    if (function != AtomicFunction::exch && function != AtomicFunction::cas)
        return "16 bytes are exchanged, or compared and swapped; CUDA has nothing else for them";
    int device = 0, major = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess || major < 9)
        return "atomics of 16 bytes exist from compute capability 9.0 on";
    return refuse_call(p);
}
}  // namespace

LANEWORK_RUNG(atomics, word_pairs,
              {
                  .climbs_from = "device_scope",
                  .lesson = "Two words of 64 bits are 16 bytes, which Hopper exchanges as one: two cells a call.",
                  .launch = launch,
                  .workspace = olds_bytes<std::uint64_t>,
                  .refuses = refuses,
              });
