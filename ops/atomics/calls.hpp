// One call of an atomic function, in each of CUDA's three scopes: what the hardware has to keep apart from what.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ops/atomics/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The type under which CUDA knows T: its 64-bit integers are `long long`.
template <class T>
struct CudaType {
    using Type = T;
};
template <>
struct CudaType<std::int64_t> {
    using Type = long long;
};
template <>
struct CudaType<std::uint64_t> {
    using Type = unsigned long long;
};

template <>
struct CudaType<float16> {
    using Type = __half;
};
template <>
struct CudaType<bfloat16> {
    using Type = __nv_bfloat16;
};

/// The same bits as the type of the other side.
template <class To, class From>
__device__ To as(From value) {
    if constexpr (kHolds<To> || kHolds<From>) {
        static_assert(sizeof(To) == sizeof(From));
        To result;
        memcpy(static_cast<void*>(&result), &value, sizeof result);
        return result;
    } else {
        return static_cast<To>(value);
    }
}

/// Adds by compare-and-swap: offers the sum of a guess, and guesses again with what the cell turned out to hold. The
/// first guess is 0. swap(expected, desired) is atomicCAS on the cell.
template <class T, class Swap>
__device__ T add_by_swapping(T value, Swap swap) {
    T guess{};
    for (;;) {
        const T found = swap(guess, atomic_sum(guess, value));
        if (found == guess) return found;
        guess = found;
    }
}

// The functions of one scope: Scope::call<function>(cell, value) returns what the cell held before.
#define LANEWORK_ATOMIC_SCOPE(Scope, suffix)                                                                      \
    struct Scope {                                                                                                \
        template <AtomicFunction function, class T>                                                               \
        static __device__ T call(T* cell, T value) {                                                              \
            if constexpr (function == AtomicFunction::add) return atomicAdd##suffix(cell, value);                 \
            if constexpr (function == AtomicFunction::sub) return atomicSub##suffix(cell, value);                 \
            if constexpr (function == AtomicFunction::exch) return atomicExch##suffix(cell, value);               \
            if constexpr (function == AtomicFunction::min) return atomicMin##suffix(cell, value);                 \
            if constexpr (function == AtomicFunction::max) return atomicMax##suffix(cell, value);                 \
            if constexpr (function == AtomicFunction::inc) return atomicInc##suffix(cell, value);                 \
            if constexpr (function == AtomicFunction::dec) return atomicDec##suffix(cell, value);                 \
            if constexpr (function == AtomicFunction::bit_and) return atomicAnd##suffix(cell, value);             \
            if constexpr (function == AtomicFunction::bit_or) return atomicOr##suffix(cell, value);               \
            if constexpr (function == AtomicFunction::bit_xor) return atomicXor##suffix(cell, value);             \
            if constexpr (function == AtomicFunction::cas)                                                        \
                return add_by_swapping(                                                                           \
                    value, [cell](T expected, T desired) { return atomicCAS##suffix(cell, expected, desired); }); \
        }                                                                                                         \
    };
/// Atomic for the threads of one block.
LANEWORK_ATOMIC_SCOPE(BlockScope, _block)
/// Atomic for all threads of the device: what CUDA means when nothing is said.
LANEWORK_ATOMIC_SCOPE(DeviceScope, )
/// Atomic for other devices and the host too.
LANEWORK_ATOMIC_SCOPE(SystemScope, _system)
#undef LANEWORK_ATOMIC_SCOPE

/// Calls body.template operator()<function>() for the function of the arguments, if T has it.
template <class T, AtomicFunction function = AtomicFunction::add, class Body>
void with_function(AtomicFunction wanted, Body body) {
    if constexpr (exists(function, dtype_of<T>))
        if (function == wanted) body.template operator()<function>();
    if constexpr (function != AtomicFunction::bit_xor)
        with_function<T, static_cast<AtomicFunction>(static_cast<int>(function) + 1)>(wanted, body);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
