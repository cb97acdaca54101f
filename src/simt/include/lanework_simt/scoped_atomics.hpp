// CUDA's atomic functions with an order and a scope of their own: __nv_atomic_load, __nv_atomic_fetch_add …. Every
// scope is the widest, and `check` sees which ones are a block's (atomic_hooks.cpp). The orders' numbers are those of
// C++ compilers.
#pragma once

#include <lanework_simt/access.hpp>
#include <lanework_simt/atomics.hpp>

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

namespace lanework_simt {
namespace atomic_update {
/// The type that a value is converted to: the one that the address names.
template <class T>
using Of = typename access_hints::Exactly<T>::Type;
/// What nvcc takes: other types and sizes are refused where the program is compiled, and so they are here.
template <class T>
constexpr bool takes_values() {
    static_assert(std::is_integral<T>::value,
                  "__nv_atomic_..._n takes integral types alone: for others there is the function without _n");
    return true;
}
template <class T>
constexpr bool is_exchanged() {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                  "__nv_atomic_exchange takes objects of 4, 8 or 16 bytes");
    return true;
}
template <class T>
constexpr bool is_compared() {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                  "__nv_atomic_compare_exchange takes objects of 2, 4, 8 or 16 bytes");
    return true;
}
enum class Arithmetic { sum, extreme, bits };
template <class T, Arithmetic Kind>
constexpr bool is_changed() {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8,
                  "__nv_atomic_fetch_... and __nv_atomic_add, min, and ... take objects of 4 or 8 bytes");
    static_assert(Kind == Arithmetic::sum || !std::is_floating_point<T>::value,
                  "__nv_atomic_fetch_min, max, and, or and xor take no floating-point types");
    static_assert(
        Kind != Arithmetic::sum || sizeof(T) != 8 || !std::is_integral<T>::value || std::is_unsigned<T>::value,
        "__nv_atomic_fetch_add and sub take unsigned integers of 8 bytes, not signed ones");
    return true;
}
/// Whether a scope holds threads of one block alone.
constexpr bool within_block(int scope) { return scope == __NV_THREAD_SCOPE_THREAD || scope == __NV_THREAD_SCOPE_BLOCK; }
}  // namespace atomic_update
inline namespace api {

template <class T>
LANEWORK_SIMT_BUILTIN void __nv_atomic_load(const T* address, T* result, int order,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
    spin_hint(address);
    [[maybe_unused]] const BlockScope of_block(atomic_update::within_block(scope));
    __atomic_load(const_cast<T*>(address), result, order);
}
template <class T>
LANEWORK_SIMT_BUILTIN T __nv_atomic_load_n(const T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    static_assert(atomic_update::takes_values<T>());
    T result;
    __nv_atomic_load(address, &result, order, scope);
    return result;
}
template <class T>
LANEWORK_SIMT_BUILTIN void __nv_atomic_store(T* address, T* value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    [[maybe_unused]] const BlockScope of_block(atomic_update::within_block(scope));
    __atomic_store(address, value, order);
}
template <class T>
LANEWORK_SIMT_BUILTIN void __nv_atomic_store_n(T* address, atomic_update::Of<T> value, int order,
                                               int scope = __NV_THREAD_SCOPE_SYSTEM) {
    static_assert(atomic_update::takes_values<T>());
    __nv_atomic_store(address, &value, order, scope);
}
template <class T>
LANEWORK_SIMT_BUILTIN void __nv_atomic_exchange(T* address, T* value, T* old, int order,
                                                int scope = __NV_THREAD_SCOPE_SYSTEM) {
    static_assert(atomic_update::is_exchanged<T>());
    spin_hint(address);
    [[maybe_unused]] const BlockScope of_block(atomic_update::within_block(scope));
    *old = atomic_update::exchange(address, *value, order);
}
template <class T>
LANEWORK_SIMT_BUILTIN T __nv_atomic_exchange_n(T* address, atomic_update::Of<T> value, int order,
                                               int scope = __NV_THREAD_SCOPE_SYSTEM) {
    static_assert(atomic_update::takes_values<T>());
    T result, wanted = value;
    __nv_atomic_exchange(address, &wanted, &result, order, scope);
    return result;
}
/// Whether the value was `*expected`, which becomes the value that was there. It is never weak here.
template <class T>
LANEWORK_SIMT_BUILTIN bool __nv_atomic_compare_exchange(T* address, T* expected, T* desired, bool, int success,
                                                        int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    static_assert(atomic_update::is_compared<T>());
    spin_hint(address);
    [[maybe_unused]] const BlockScope of_block(atomic_update::within_block(scope));
    if constexpr (IsWideWord<T>::value) {
        const WideWord compare = __builtin_bit_cast(WideWord, *expected);
        const WideWord old =
            compare_and_swap_wide(address, compare, __builtin_bit_cast(WideWord, *desired), success, failure);
        *expected = __builtin_bit_cast(T, old);
        return old.low == compare.low && old.high == compare.high;
    } else {
        return __atomic_compare_exchange(address, expected, desired, false, success, failure);
    }
}
template <class T>
LANEWORK_SIMT_BUILTIN bool __nv_atomic_compare_exchange_n(T* address, T* expected, atomic_update::Of<T> desired,
                                                          bool weak, int success, int failure,
                                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {
    static_assert(atomic_update::takes_values<T>());
    T value = desired;
    return __nv_atomic_compare_exchange(address, expected, &value, weak, success, failure, scope);
}

#define LANEWORK_SIMT_SCOPED_UPDATE(name, kind, changed)                                                \
    template <class T>                                                                                  \
    LANEWORK_SIMT_BUILTIN T __nv_atomic_fetch_##name(T* address, atomic_update::Of<T> value, int order, \
                                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {            \
        static_assert(atomic_update::is_changed<T, atomic_update::Arithmetic::kind>());                 \
        spin_hint(address);                                                                             \
        [[maybe_unused]] const BlockScope of_block(atomic_update::within_block(scope));                 \
        return atomic_update::update(                                                                   \
            address, [value](T old) -> T { return changed; }, order);                                   \
    }                                                                                                   \
    template <class T>                                                                                  \
    LANEWORK_SIMT_BUILTIN void __nv_atomic_##name(T* address, atomic_update::Of<T> value, int order,    \
                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {               \
        __nv_atomic_fetch_##name(address, value, order, scope);                                         \
    }
LANEWORK_SIMT_SCOPED_UPDATE(add, sum, old + value)
LANEWORK_SIMT_SCOPED_UPDATE(sub, sum, old - value)
LANEWORK_SIMT_SCOPED_UPDATE(and, bits, old& value)
LANEWORK_SIMT_SCOPED_UPDATE(or, bits, old | value)
LANEWORK_SIMT_SCOPED_UPDATE(xor, bits, old ^ value)
LANEWORK_SIMT_SCOPED_UPDATE(min, extreme, value < old ? value : old)
LANEWORK_SIMT_SCOPED_UPDATE(max, extreme, value > old ? value : old)
#undef LANEWORK_SIMT_SCOPED_UPDATE

LANEWORK_SIMT_BUILTIN void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    if (order == __NV_ATOMIC_RELAXED) return;
    if (atomic_update::within_block(scope))
        block_fence();
    else
        memory_fence();
}

}  // namespace api
}  // namespace lanework_simt
