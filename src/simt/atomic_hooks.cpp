// The functions that -fsanitize=thread calls in place of atomic operations. They perform the operation, always
// sequentially consistent, which every weaker order allows.
#include <cstdint>

#include "src/simt/hooks.hpp"
#include "src/simt/worker.hpp"

namespace {

using lanework_simt::EventKind;
using lanework_simt::engine::hooks_active;

/// Lets a seeded schedule interrupt the thread ahead of the atomic operation, and counts it as a possible spin.
inline void before_atomic() {
    if (__builtin_expect(hooks_active, 0)) lanework_simt::engine::interrupt_atomic();
    lanework_simt::spin_hint();
}

}  // namespace

/// Puts the atomic operation on the thread's tape. A relaxed compare-and-exchange counts when it succeeds only: the
/// simt headers make other operations of loops around one, and a GPU executes one instruction for the loop.
#define LANEWORK_SEE_ATOMIC(log2_bytes) \
    if (__builtin_expect(hooks_active, 0)) lanework_simt::engine::see_atomic(address, log2_bytes, LANEWORK_HOOK_PC())

#define LANEWORK_FETCH(bits, log2_bytes, type, name)                                   \
    type __tsan_atomic##bits##_fetch_##name(volatile type* address, type value, int) { \
        before_atomic();                                                               \
        LANEWORK_SEE_ATOMIC(log2_bytes);                                               \
        return __atomic_fetch_##name(address, value, __ATOMIC_SEQ_CST);                \
    }

#define LANEWORK_COMPARE_EXCHANGE(bits, log2_bytes, type, strength, weak)                                       \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile type* address, type* expected, type desired, \
                                                          int order, int) {                                     \
        before_atomic();                                                                                        \
        const bool done =                                                                                       \
            __atomic_compare_exchange_n(address, expected, desired, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
        if (done || order != __ATOMIC_RELAXED) LANEWORK_SEE_ATOMIC(log2_bytes);                                 \
        return done;                                                                                            \
    }

#define LANEWORK_ATOMIC(bits, log2_bytes, type)                                                                      \
    type __tsan_atomic##bits##_load(const volatile type* address, int) {                                             \
        before_atomic();                                                                                             \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                           \
    }                                                                                                                \
    void __tsan_atomic##bits##_store(volatile type* address, type value, int) {                                      \
        before_atomic();                                                                                             \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                          \
    }                                                                                                                \
    type __tsan_atomic##bits##_exchange(volatile type* address, type value, int) {                                   \
        before_atomic();                                                                                             \
        LANEWORK_SEE_ATOMIC(log2_bytes);                                                                             \
        return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                                \
    }                                                                                                                \
    LANEWORK_FETCH(bits, log2_bytes, type, add)                                                                      \
    LANEWORK_FETCH(bits, log2_bytes, type, sub)                                                                      \
    LANEWORK_FETCH(bits, log2_bytes, type, and)                                                                      \
    LANEWORK_FETCH(bits, log2_bytes, type, or)                                                                       \
    LANEWORK_FETCH(bits, log2_bytes, type, xor)                                                                      \
    LANEWORK_FETCH(bits, log2_bytes, type, nand)                                                                     \
    LANEWORK_COMPARE_EXCHANGE(bits, log2_bytes, type, strong, false)                                                 \
    LANEWORK_COMPARE_EXCHANGE(bits, log2_bytes, type, weak, true)                                                    \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type* address, type expected, type desired, int, int) { \
        before_atomic();                                                                                             \
        LANEWORK_SEE_ATOMIC(log2_bytes);                                                                             \
        __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);         \
        return expected;                                                                                             \
    }

#if defined(__SIZEOF_INT128__) && defined(__x86_64__)
namespace {

__extension__ using Wide = unsigned __int128;

/// Replaces the value by change(value) in one step; the value before.
template <class Change>
__attribute__((target("cx16"))) Wide update_wide(volatile Wide* address, Change change) {
    before_atomic();
    Wide before = *address;
    for (;;) {
        const Wide seen = __sync_val_compare_and_swap(address, before, change(before));
        if (seen == before) return before;
        before = seen;
    }
}

}  // namespace

extern "C" {

Wide __tsan_atomic128_load(const volatile Wide* address, int) {
    return update_wide(const_cast<volatile Wide*>(address), [](Wide value) { return value; });
}
void __tsan_atomic128_store(volatile Wide* address, Wide value, int) {
    update_wide(address, [=](Wide) { return value; });
}
Wide __tsan_atomic128_exchange(volatile Wide* address, Wide value, int) {
    LANEWORK_SEE_ATOMIC(4);
    return update_wide(address, [=](Wide) { return value; });
}
Wide __tsan_atomic128_fetch_add(volatile Wide* address, Wide value, int) {
    return update_wide(address, [=](Wide old) { return old + value; });
}
Wide __tsan_atomic128_fetch_sub(volatile Wide* address, Wide value, int) {
    return update_wide(address, [=](Wide old) { return old - value; });
}
Wide __tsan_atomic128_fetch_and(volatile Wide* address, Wide value, int) {
    return update_wide(address, [=](Wide old) { return old & value; });
}
Wide __tsan_atomic128_fetch_or(volatile Wide* address, Wide value, int) {
    return update_wide(address, [=](Wide old) { return old | value; });
}
Wide __tsan_atomic128_fetch_xor(volatile Wide* address, Wide value, int) {
    return update_wide(address, [=](Wide old) { return old ^ value; });
}
Wide __tsan_atomic128_fetch_nand(volatile Wide* address, Wide value, int) {
    return update_wide(address, [=](Wide old) { return ~(old & value); });
}
Wide __tsan_atomic128_compare_exchange_val(volatile Wide* address, Wide expected, Wide desired, int, int) {
    return update_wide(address, [=](Wide old) { return old == expected ? desired : old; });
}
int __tsan_atomic128_compare_exchange_strong(volatile Wide* address, Wide* expected, Wide desired, int, int) {
    LANEWORK_SEE_ATOMIC(4);
    const Wide wanted = *expected;
    *expected = __tsan_atomic128_compare_exchange_val(address, wanted, desired, 0, 0);
    return *expected == wanted;
}
int __tsan_atomic128_compare_exchange_weak(volatile Wide* address, Wide* expected, Wide desired, int, int) {
    return __tsan_atomic128_compare_exchange_strong(address, expected, desired, 0, 0);
}

}  // extern "C"
#endif

namespace lanework_simt {
void discard_old_value() {
    if (context.tape) context.tape->old_value_unused = true;
}
}  // namespace lanework_simt

extern "C" {

LANEWORK_ATOMIC(8, 0, std::uint8_t)
LANEWORK_ATOMIC(16, 1, std::uint16_t)
LANEWORK_ATOMIC(32, 2, std::uint32_t)
LANEWORK_ATOMIC(64, 3, std::uint64_t)

void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
