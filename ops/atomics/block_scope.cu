// The narrowest promise, atomic for the threads of one block, and so a block makes all the calls on its cell. The
// promise is about who takes part, not about where the cell lies.
#include "ops/atomics/ledger.hpp"

namespace {
template <AtomicFunction function, class T>
__global__ void call_from_blocks(T* cells, const T* values, T* olds, std::int64_t calls, std::int64_t per_cell) {
    using Known = typename CudaType<T>::Type;
    auto* const cell = reinterpret_cast<Known*>(cells + blockIdx.x);
    const std::int64_t first = blockIdx.x * per_cell, end = min(first + per_cell, calls);
    for (std::int64_t call = first + threadIdx.x; call < end; call += kBlock)
        olds[call] = static_cast<T>(BlockScope::call<function>(cell, static_cast<Known>(values[call])));
}

template <class T>
void launch(const AtomicsArgs<T>& a, cudaStream_t stream) {
    account(a, stream, [&](T* olds) {
        with_function<T>(a.function, [&]<AtomicFunction function>() {
            call_from_blocks<function>
                <<<static_cast<unsigned>(a.cells()), kBlock, 0, stream>>>(a.final, a.values, olds, a.calls, a.per_cell);
        });
    });
}
}  // namespace

LANEWORK_RUNG(atomics, block_scope,
              {
                  .climbs_from = "device_scope",
                  .lesson = "The _block functions suffice where one block makes all the calls on a cell.",
                  .launch = {launch<std::int32_t>, launch<std::uint32_t>, launch<std::uint64_t>, launch<float>,
                             launch<double>, launch<std::int64_t>},
                  .workspace = {olds_bytes<std::int32_t>, olds_bytes<std::uint32_t>, olds_bytes<std::uint64_t>,
                                olds_bytes<float>, olds_bytes<double>, olds_bytes<std::int64_t>},
                  .refuses = refuse_call,
              });
// mends: contended_atomics
