// CUDA's atomic functions on every type it has them for. They are relaxed, as CUDA's are; the _block and _system forms
// differ from the plain ones only in scope, which on one memory makes no difference but to who checks the program.
#pragma once

#include <lanework_simt/quiet.hpp>
#include <lanework_simt/thread.hpp>
#include <lanework_simt/vector_types.hpp>
#include <type_traits>

namespace lanework_simt {

/// Says that nobody uses the old value of the atomic operation that follows: on a GPU it is a reduction.
#if defined(LANEWORK_SIMT_WATCHED)
void discard_old_value();
#else
template <int = 0>
LANEWORK_SIMT_BUILTIN void discard_old_value() {}
#endif

#if defined(LANEWORK_SIMT_WATCHED)
/// Lets other threads run once in a while, so that a loop that waits for another thread's atomic ends.
LANEWORK_SIMT_BUILTIN void may_spin(const volatile void* address) { spin_hint(address); }
/// Whether no other thread can come between a load and a store.
constexpr bool undisturbed() { return false; }
#else
LANEWORK_SIMT_BUILTIN void may_spin(const volatile void* address) {
    if (loop_thread) return;
    if ((context.spins + 1) % kSpinsPerYield != 0)
        ++context.spins;
    else
        spin_hint(address);
}
LANEWORK_SIMT_BUILTIN bool undisturbed() { return loop_thread && loop_thread->alone; }
#endif

#if defined(LANEWORK_SIMT_WATCHED)
/// Says that the atomic operations that follow are atomic, and order memory, for the threads of the block alone.
void set_block_scope(bool on);
#endif
/// The same of those within its life.
class BlockScope {
public:
#if defined(LANEWORK_SIMT_WATCHED)
    LANEWORK_SIMT_BUILTIN explicit BlockScope(bool on = true) : on_(on) {
        if (on_) set_block_scope(true);
    }
    LANEWORK_SIMT_BUILTIN ~BlockScope() {
        if (on_) set_block_scope(false);
    }
    BlockScope(const BlockScope&) = delete;
    BlockScope& operator=(const BlockScope&) = delete;

private:
    const bool on_;
#else
    LANEWORK_SIMT_BUILTIN explicit BlockScope(bool = true) {}
#endif
};

/// Sixteen bytes, and what may be exchanged as such.
struct WideWord {
    unsigned long long low, high;
};
template <class T>
struct IsWideWord {
    static constexpr bool value = sizeof(T) == 16 && alignof(T) >= 16 && __is_trivially_copyable(T);
};
/// Puts `value` at `address` if `compare` is there, or anyway; what was there. Ends the kernel at an address that is no
/// multiple of 16. They are functions of the library: not every compiler has these operations without one.
WideWord compare_and_swap_wide(void* address, WideWord compare, WideWord value, int order, int failure);
WideWord exchange_wide(void* address, WideWord value, int order);

#if defined(LANEWORK_SIMT_WATCHED) && defined(__clang__)
/// What is at the address, where `desired` is put if that is `expected`: seen as an atomic operation where it was.
/// clang calls one function for weak attempts and a program's own compare-and-swap, so that they would look alike.
unsigned char attempt_update(unsigned char* address, unsigned char expected, unsigned char desired, int order);
unsigned short attempt_update(unsigned short* address, unsigned short expected, unsigned short desired, int order);
unsigned attempt_update(unsigned* address, unsigned expected, unsigned desired, int order);
unsigned long attempt_update(unsigned long* address, unsigned long expected, unsigned long desired, int order);
#endif

namespace atomic_update {
/// The old value, to which one is added at once; threads of the same block, which one OS thread runs, see no half of it
/// even without the processor's lock.
template <class T>
LANEWORK_SIMT_BUILTIN T fetch_add(T* address, T value) {
#if defined(__x86_64__) && !defined(LANEWORK_SIMT_WATCHED)
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(context.shared);
    if (offset < kMaxSharedBytes) {
        asm volatile("xadd %0, %1" : "+r"(value), "+m"(*address) : : "cc", "memory");
        return value;
    }
#endif
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
/// A first guess of a value that another thread may be changing: no access of the kernel.
template <class T>
LANEWORK_SIMT_BUILTIN T guess(const T* address) {
#if defined(LANEWORK_SIMT_WATCHED)
    return quiet_copy(*address);
#else
    T value;
    __atomic_load(address, &value, __ATOMIC_RELAXED);
    return value;
#endif
}
/// Puts `changed` at `address` if `old` is there; else `old` becomes what is.
template <class T>
LANEWORK_SIMT_BUILTIN bool replace(T* address, T& old, T changed, int order) {
#if defined(LANEWORK_SIMT_WATCHED) && defined(__clang__)
    using Bits = std::conditional_t<sizeof(T) == 1, unsigned char,
                                    std::conditional_t<sizeof(T) == 2, unsigned short,
                                                       std::conditional_t<sizeof(T) == 4, unsigned, unsigned long>>>;
    const Bits expected = __builtin_bit_cast(Bits, old);
    const Bits seen =
        attempt_update(reinterpret_cast<Bits*>(address), expected, __builtin_bit_cast(Bits, changed), order);
    old = __builtin_bit_cast(T, seen);
    return seen == expected;
#else
    return __atomic_compare_exchange(address, &old, &changed, true, order, __ATOMIC_RELAXED);
#endif
}
/// Replaces the value at `address` by `change` of it, at once; returns the old one. Weak and relaxed attempts that fail
/// are no access of the kernel: a GPU executes one instruction for the loop.
template <class T, class Change>
LANEWORK_SIMT_BUILTIN T update(T* address, Change change, int order = __ATOMIC_RELAXED) {
    T old = guess(address);
    T changed = change(old);
    while (!replace(address, old, changed, order)) changed = change(old);
    return old;
}
template <class T>
LANEWORK_SIMT_BUILTIN T exchange(T* address, T value, int order = __ATOMIC_RELAXED) {
    if constexpr (IsWideWord<T>::value) {
        return __builtin_bit_cast(T, exchange_wide(address, __builtin_bit_cast(WideWord, value), order));
    } else {
        T old;
        __atomic_exchange(address, &value, &old, order);
        return old;
    }
}
template <class T>
LANEWORK_SIMT_BUILTIN T compare_and_swap(T* address, T compare, T value) {
    if constexpr (IsWideWord<T>::value) {
        return __builtin_bit_cast(
            T, compare_and_swap_wide(address, __builtin_bit_cast(WideWord, compare),
                                     __builtin_bit_cast(WideWord, value), __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    } else {
        __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        return compare;
    }
}
}  // namespace atomic_update
inline namespace api {

// One overload and its two scopes; `expression` computes the old value from `address` and `value`, and `changed` the
// new one from `old` and `value`. The host may come between in the scope of the system.
#define LANEWORK_SIMT_ATOMIC_SCOPE(name, type, expression, changed, block, system) \
    LANEWORK_SIMT_BUILTIN type name(type* address, type value) {                   \
        if (!(system) && undisturbed()) {                                          \
            const type old = *address;                                             \
            *address = changed;                                                    \
            return old;                                                            \
        }                                                                          \
        may_spin(address);                                                         \
        [[maybe_unused]] const BlockScope scope(block);                            \
        return expression;                                                         \
    }
#define LANEWORK_SIMT_ATOMIC(name, type, expression, changed)                        \
    LANEWORK_SIMT_ATOMIC_SCOPE(name, type, expression, changed, false, false)        \
    LANEWORK_SIMT_ATOMIC_SCOPE(name##_block, type, expression, changed, true, false) \
    LANEWORK_SIMT_ATOMIC_SCOPE(name##_system, type, expression, changed, false, true)
#define LANEWORK_SIMT_ATOMIC_UPDATE(name, type, changed)                                                            \
    LANEWORK_SIMT_ATOMIC(name, type, atomic_update::update(address, [value](type old) -> type { return changed; }), \
                         changed)
// Whole numbers that pass their range go on at its other end.
#define LANEWORK_SIMT_ATOMIC_FETCH_BY(name, type, expression, sign) \
    LANEWORK_SIMT_ATOMIC(                                           \
        name, type, expression,                                     \
        static_cast<type>(static_cast<unsigned long long>(old) sign static_cast<unsigned long long>(value)))
#define LANEWORK_SIMT_ATOMIC_FETCH(name, type, operation, sign) \
    LANEWORK_SIMT_ATOMIC_FETCH_BY(name, type, __atomic_fetch_##operation(address, value, __ATOMIC_RELAXED), sign)

#define LANEWORK_SIMT_ATOMIC_ADD(type) \
    LANEWORK_SIMT_ATOMIC_FETCH_BY(atomicAdd, type, atomic_update::fetch_add(address, value), +)
LANEWORK_SIMT_ATOMIC_ADD(int)
LANEWORK_SIMT_ATOMIC_ADD(unsigned int)
LANEWORK_SIMT_ATOMIC_ADD(unsigned long long)
LANEWORK_SIMT_ATOMIC_UPDATE(atomicAdd, float, old + value)
LANEWORK_SIMT_ATOMIC_UPDATE(atomicAdd, double, old + value)

#define LANEWORK_SIMT_ATOMIC_SUB(type) LANEWORK_SIMT_ATOMIC_FETCH(atomicSub, type, sub, -)
LANEWORK_SIMT_ATOMIC_SUB(int)
LANEWORK_SIMT_ATOMIC_SUB(unsigned int)

#define LANEWORK_SIMT_ATOMIC_EXCH(type) \
    LANEWORK_SIMT_ATOMIC(atomicExch, type, atomic_update::exchange(address, value), value)
LANEWORK_SIMT_ATOMIC_EXCH(int)
LANEWORK_SIMT_ATOMIC_EXCH(unsigned int)
LANEWORK_SIMT_ATOMIC_EXCH(unsigned long long)
LANEWORK_SIMT_ATOMIC_EXCH(float)

#define LANEWORK_SIMT_ATOMIC_MIN_MAX(type)                                  \
    LANEWORK_SIMT_ATOMIC_UPDATE(atomicMin, type, value < old ? value : old) \
    LANEWORK_SIMT_ATOMIC_UPDATE(atomicMax, type, value > old ? value : old)
LANEWORK_SIMT_ATOMIC_MIN_MAX(int)
LANEWORK_SIMT_ATOMIC_MIN_MAX(unsigned int)
LANEWORK_SIMT_ATOMIC_MIN_MAX(long long)
LANEWORK_SIMT_ATOMIC_MIN_MAX(unsigned long long)

// Counting up to `value` and then from 0 again; counting down to 0 and then from `value` again.
LANEWORK_SIMT_ATOMIC_UPDATE(atomicInc, unsigned int, old >= value ? 0 : old + 1)
LANEWORK_SIMT_ATOMIC_UPDATE(atomicDec, unsigned int, old == 0 || old > value ? value : old - 1)

#define LANEWORK_SIMT_ATOMIC_BITS(type)                 \
    LANEWORK_SIMT_ATOMIC_FETCH(atomicAnd, type, and, &) \
    LANEWORK_SIMT_ATOMIC_FETCH(atomicOr, type, or, |)   \
    LANEWORK_SIMT_ATOMIC_FETCH(atomicXor, type, xor, ^)
LANEWORK_SIMT_ATOMIC_BITS(int)
LANEWORK_SIMT_ATOMIC_BITS(unsigned int)
LANEWORK_SIMT_ATOMIC_BITS(unsigned long long)

#define LANEWORK_SIMT_ATOMIC_CAS_SCOPE(name, type, block, system)              \
    LANEWORK_SIMT_BUILTIN type name(type* address, type compare, type value) { \
        if (!(system) && undisturbed()) {                                      \
            const type old = *address;                                         \
            if (old == compare) *address = value;                              \
            return old;                                                        \
        }                                                                      \
        may_spin(address);                                                     \
        [[maybe_unused]] const BlockScope scope(block);                        \
        return atomic_update::compare_and_swap(address, compare, value);       \
    }
#define LANEWORK_SIMT_ATOMIC_CAS(type)                                 \
    LANEWORK_SIMT_ATOMIC_CAS_SCOPE(atomicCAS, type, false, false)      \
    LANEWORK_SIMT_ATOMIC_CAS_SCOPE(atomicCAS_block, type, true, false) \
    LANEWORK_SIMT_ATOMIC_CAS_SCOPE(atomicCAS_system, type, false, true)
LANEWORK_SIMT_ATOMIC_CAS(int)
LANEWORK_SIMT_ATOMIC_CAS(unsigned int)
LANEWORK_SIMT_ATOMIC_CAS(unsigned long long)
LANEWORK_SIMT_ATOMIC_CAS(unsigned short)

// Whatever has 16 bytes and begins at a multiple of them (compute capability 9.0).
#define LANEWORK_SIMT_ATOMIC_WIDE(suffix, block)                                                              \
    template <class T>                                                                                        \
    LANEWORK_SIMT_BUILTIN std::enable_if_t<IsWideWord<T>::value, T> atomicCAS##suffix(T* address, T compare,  \
                                                                                      T value) {              \
        spin_hint(address);                                                                                   \
        [[maybe_unused]] const BlockScope scope(block);                                                       \
        return atomic_update::compare_and_swap(address, compare, value);                                      \
    }                                                                                                         \
    template <class T>                                                                                        \
    LANEWORK_SIMT_BUILTIN std::enable_if_t<IsWideWord<T>::value, T> atomicExch##suffix(T* address, T value) { \
        spin_hint(address);                                                                                   \
        [[maybe_unused]] const BlockScope scope(block);                                                       \
        return atomic_update::exchange(address, value);                                                       \
    }
LANEWORK_SIMT_ATOMIC_WIDE(, false)
LANEWORK_SIMT_ATOMIC_WIDE(_block, true)
LANEWORK_SIMT_ATOMIC_WIDE(_system, false)

// Vectors are added element by element: each is atomic, the whole is not (compute capability 9.0).
LANEWORK_SIMT_BUILTIN float2 atomicAdd(float2* address, float2 value) {
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
LANEWORK_SIMT_BUILTIN float4 atomicAdd(float4* address, float4 value) {
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y), atomicAdd(&address->z, value.z),
            atomicAdd(&address->w, value.w)};
}

#undef LANEWORK_SIMT_ATOMIC_WIDE
#undef LANEWORK_SIMT_ATOMIC_CAS
#undef LANEWORK_SIMT_ATOMIC_CAS_SCOPE
#undef LANEWORK_SIMT_ATOMIC_BITS
#undef LANEWORK_SIMT_ATOMIC_MIN_MAX
#undef LANEWORK_SIMT_ATOMIC_EXCH
#undef LANEWORK_SIMT_ATOMIC_SUB
#undef LANEWORK_SIMT_ATOMIC_ADD
#undef LANEWORK_SIMT_ATOMIC_UPDATE
#undef LANEWORK_SIMT_ATOMIC_FETCH
#undef LANEWORK_SIMT_ATOMIC_FETCH_BY
#undef LANEWORK_SIMT_ATOMIC
#undef LANEWORK_SIMT_ATOMIC_SCOPE

}  // namespace api
}  // namespace lanework_simt
