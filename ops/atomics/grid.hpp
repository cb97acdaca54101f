// A thread for each call, in order: the calls on one cell come from as many blocks as they fill.
#pragma once

#include "ops/atomics/ledger.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <class Scope, AtomicFunction function, class T>
__global__ void call_from_grid(T* cells, const T* values, T* olds, std::int64_t calls, std::int64_t per_cell) {
    using Known = typename CudaType<T>::Type;
    const std::int64_t call = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (call >= calls) return;
    auto* const cell = reinterpret_cast<Known*>(cells + call / per_cell);
    olds[call] = as<T>(Scope::template call<function>(cell, as<Known>(values[call])));
}

template <class Scope, class T>
void launch_grid(const AtomicsArgs<T>& a, cudaStream_t stream) {
    account(a, stream, [&](T* olds) {
        with_function<T>(a.function, [&]<AtomicFunction function>() {
            call_from_grid<Scope, function><<<static_cast<unsigned>(ceil_div(a.calls, kBlock)), kBlock, 0, stream>>>(
                a.final, a.values, olds, a.calls, a.per_cell);
        });
    });
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
