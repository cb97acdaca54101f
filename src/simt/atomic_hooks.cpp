// The functions that -fsanitize=thread calls in place of atomic operations. They perform the operation, always
// sequentially consistent, which every weaker order allows; the tape gets the order that was asked for.
#include <fmt/format.h>

#include <cstdint>
#include <lanework_simt/atomics.hpp>
#include <lanework_simt/error.hpp>

#include "src/simt/hooks.hpp"
#include "src/simt/worker.hpp"

namespace {

using lanework_simt::EventCode;
using lanework_simt::EventKind;
using lanework_simt::Tape;
using lanework_simt::engine::hooks_active;
using lanework_simt::engine::record;

/// Lets a seeded schedule interrupt the thread ahead of the atomic operation, and counts it as a possible spin.
inline void before_atomic(const volatile void* address, const void* pc) {
    if (__builtin_expect(hooks_active, 0)) lanework_simt::engine::interrupt_atomic();
    lanework_simt::spin_hint(address, pc);
}

bool releases(int order) { return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST; }
bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }

/// Puts a load, a store or an atomic operation on the thread's tape, with the order that was asked for.
[[gnu::noinline]] void see(EventKind kind, const volatile void* address, unsigned log2_bytes, int order,
                           const void* pc) {
    const Tape* const tape = lanework_simt::context.tape;
    const unsigned scope = tape && tape->block_scope ? EventCode::kBlockScope : 0;
    if (kind != EventKind::load && releases(order)) record(pc, EventKind::release, scope, nullptr);
    if (kind == EventKind::atomic) {
        lanework_simt::engine::see_atomic(address, log2_bytes, pc);
    } else {
        record(pc, kind, log2_bytes | EventCode::kAtomic | scope, address);
    }
    if (kind != EventKind::store && acquires(order)) record(pc, EventKind::acquire, scope, nullptr);
}

}  // namespace

#define LANEWORK_SEE(kind, log2_bytes, order) \
    if (__builtin_expect(hooks_active, 0)) see(EventKind::kind, address, log2_bytes, order, LANEWORK_HOOK_PC())

/// A compare-and-exchange that fails releases nothing and has an order of its own.
#define LANEWORK_SEE_EXCHANGE(done, log2_bytes) \
    LANEWORK_SEE(atomic, (log2_bytes) | EventCode::kCompares, (done) ? order : failure)

#define LANEWORK_FETCH(bits, log2_bytes, type, name)                                         \
    type __tsan_atomic##bits##_fetch_##name(volatile type* address, type value, int order) { \
        before_atomic(address, LANEWORK_HOOK_PC());                                          \
        LANEWORK_SEE(atomic, log2_bytes, order);                                             \
        return __atomic_fetch_##name(address, value, __ATOMIC_SEQ_CST);                      \
    }

// The simt headers make other operations of loops around a weak one: it is seen as one of those, once, when it is done.
// A program's own is never weak.
#define LANEWORK_COMPARE_EXCHANGE(bits, log2_bytes, type)                                                              \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type* address, type* expected, type desired, int order, \
                                                      int failure) {                                                   \
        before_atomic(address, LANEWORK_HOOK_PC());                                                                    \
        const bool done =                                                                                              \
            __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);        \
        LANEWORK_SEE_EXCHANGE(done, log2_bytes);                                                                       \
        return done;                                                                                                   \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type* address, type* expected, type desired, int order,   \
                                                    int) {                                                             \
        before_atomic(address, LANEWORK_HOOK_PC());                                                                    \
        const bool done =                                                                                              \
            __atomic_compare_exchange_n(address, expected, desired, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);         \
        if (done) LANEWORK_SEE(atomic, log2_bytes, order);                                                             \
        return done;                                                                                                   \
    }

#define LANEWORK_ATOMIC(bits, log2_bytes, type)                                                                     \
    type __tsan_atomic##bits##_load(const volatile type* address, int order) {                                      \
        before_atomic(address, LANEWORK_HOOK_PC());                                                                 \
        LANEWORK_SEE(load, log2_bytes, order);                                                                      \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                          \
    }                                                                                                               \
    void __tsan_atomic##bits##_store(volatile type* address, type value, int order) {                               \
        before_atomic(address, LANEWORK_HOOK_PC());                                                                 \
        LANEWORK_SEE(store, log2_bytes, order);                                                                     \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                         \
    }                                                                                                               \
    type __tsan_atomic##bits##_exchange(volatile type* address, type value, int order) {                            \
        before_atomic(address, LANEWORK_HOOK_PC());                                                                 \
        LANEWORK_SEE(atomic, log2_bytes, order);                                                                    \
        return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                               \
    }                                                                                                               \
    LANEWORK_FETCH(bits, log2_bytes, type, add)                                                                     \
    LANEWORK_FETCH(bits, log2_bytes, type, sub)                                                                     \
    LANEWORK_FETCH(bits, log2_bytes, type, and)                                                                     \
    LANEWORK_FETCH(bits, log2_bytes, type, or)                                                                      \
    LANEWORK_FETCH(bits, log2_bytes, type, xor)                                                                     \
    LANEWORK_FETCH(bits, log2_bytes, type, nand)                                                                    \
    LANEWORK_COMPARE_EXCHANGE(bits, log2_bytes, type)                                                               \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type* address, type expected, type desired, int order, \
                                                    int failure) {                                                  \
        before_atomic(address, LANEWORK_HOOK_PC());                                                                 \
        const bool done =                                                                                           \
            __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
        LANEWORK_SEE_EXCHANGE(done, log2_bytes);                                                                    \
        return expected;                                                                                            \
    }

#if defined(__SIZEOF_INT128__) && defined(__x86_64__)
namespace {

__extension__ using Wide = unsigned __int128;

/// Replaces the value by change(value) in one step; the value before. Not inlined: clang does so, and then asks for a
/// function of its library, since the caller lacks cx16.
template <class Change>
__attribute__((target("cx16"), noinline)) Wide update_wide(volatile Wide* address, Change change) {
    before_atomic(address, LANEWORK_HOOK_PC());
    Wide before = *address;
    for (;;) {
        const Wide seen = __sync_val_compare_and_swap(address, before, change(before));
        if (seen == before) return before;
        before = seen;
    }
}

}  // namespace

extern "C" {

Wide __tsan_atomic128_load(const volatile Wide* address, int order) {
    LANEWORK_SEE(load, 4, order);
    return update_wide(const_cast<volatile Wide*>(address), [](Wide value) { return value; });
}
void __tsan_atomic128_store(volatile Wide* address, Wide value, int order) {
    LANEWORK_SEE(store, 4, order);
    update_wide(address, [=](Wide) { return value; });
}
Wide __tsan_atomic128_exchange(volatile Wide* address, Wide value, int order) {
    LANEWORK_SEE(atomic, 4, order);
    return update_wide(address, [=](Wide) { return value; });
}
Wide __tsan_atomic128_fetch_add(volatile Wide* address, Wide value, int order) {
    LANEWORK_SEE(atomic, 4, order);
    return update_wide(address, [=](Wide old) { return old + value; });
}
Wide __tsan_atomic128_fetch_sub(volatile Wide* address, Wide value, int order) {
    LANEWORK_SEE(atomic, 4, order);
    return update_wide(address, [=](Wide old) { return old - value; });
}
Wide __tsan_atomic128_fetch_and(volatile Wide* address, Wide value, int order) {
    LANEWORK_SEE(atomic, 4, order);
    return update_wide(address, [=](Wide old) { return old & value; });
}
Wide __tsan_atomic128_fetch_or(volatile Wide* address, Wide value, int order) {
    LANEWORK_SEE(atomic, 4, order);
    return update_wide(address, [=](Wide old) { return old | value; });
}
Wide __tsan_atomic128_fetch_xor(volatile Wide* address, Wide value, int order) {
    LANEWORK_SEE(atomic, 4, order);
    return update_wide(address, [=](Wide old) { return old ^ value; });
}
Wide __tsan_atomic128_fetch_nand(volatile Wide* address, Wide value, int order) {
    LANEWORK_SEE(atomic, 4, order);
    return update_wide(address, [=](Wide old) { return ~(old & value); });
}
Wide __tsan_atomic128_compare_exchange_val(volatile Wide* address, Wide expected, Wide desired, int order,
                                           int failure) {
    const Wide seen = update_wide(address, [=](Wide old) { return old == expected ? desired : old; });
    LANEWORK_SEE_EXCHANGE(seen == expected, 4);
    return seen;
}
int __tsan_atomic128_compare_exchange_strong(volatile Wide* address, Wide* expected, Wide desired, int order,
                                             int failure) {
    const Wide wanted = *expected;
    *expected = update_wide(address, [=](Wide old) { return old == wanted ? desired : old; });
    LANEWORK_SEE_EXCHANGE(*expected == wanted, 4);
    return *expected == wanted;
}
int __tsan_atomic128_compare_exchange_weak(volatile Wide* address, Wide* expected, Wide desired, int order,
                                           int failure) {
    return __tsan_atomic128_compare_exchange_strong(address, expected, desired, order, failure);
}

}  // extern "C"

namespace lanework_simt {
namespace {

void require_multiple_of_16(const void* address, const char* function, const void* caller) {
    if (reinterpret_cast<std::uintptr_t>(address) % 16 == 0) return;
    fail_kernel(
        cudaErrorMisalignedAddress,
        fmt::format("{}: {} of 16 bytes at {}, which is no multiple of 16", engine::thread_text(), function, address),
        caller);
}
Wide joined(WideWord word) { return Wide{word.high} << 64 | word.low; }
WideWord parted(Wide value) {
    return {static_cast<unsigned long long>(value), static_cast<unsigned long long>(value >> 64)};
}

}  // namespace

WideWord compare_and_swap_wide(void* address, WideWord compare, WideWord value, int order, int failure) {
    require_multiple_of_16(address, "compare-and-swap", __builtin_return_address(0));
    const Wide expected = joined(compare), desired = joined(value);
    const Wide seen =
        update_wide(static_cast<volatile Wide*>(address), [=](Wide old) { return old == expected ? desired : old; });
    LANEWORK_SEE_EXCHANGE(seen == expected, 4);
    return parted(seen);
}
WideWord exchange_wide(void* address, WideWord value, int order) {
    require_multiple_of_16(address, "exchange", __builtin_return_address(0));
    const Wide desired = joined(value);
    LANEWORK_SEE(atomic, 4, order);
    return parted(update_wide(static_cast<volatile Wide*>(address), [=](Wide) { return desired; }));
}
}  // namespace lanework_simt
#else
namespace lanework_simt {
WideWord compare_and_swap_wide(void*, WideWord, WideWord, int, int) {
    fail_kernel(cudaErrorNotSupported, "this processor changes no 16 bytes at once");
}
WideWord exchange_wide(void*, WideWord, int) {
    fail_kernel(cudaErrorNotSupported, "this processor changes no 16 bytes at once");
}
}  // namespace lanework_simt
#endif

namespace lanework_simt {
void discard_old_value() {
    if (context.tape) context.tape->old_value_unused = true;
}
void set_block_scope(bool on) {
    if (context.tape) context.tape->block_scope = on;
}

// Declared for clang alone (lanework_simt/atomics.hpp), which may compile what runs with a library of another's.
#define LANEWORK_ATTEMPT(type, log2_bytes)                                                                   \
    type attempt_update(type* address, type expected, type desired, int order) {                             \
        before_atomic(address, LANEWORK_HOOK_PC());                                                          \
        const type wanted = expected;                                                                        \
        __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        if (expected == wanted) LANEWORK_SEE(atomic, log2_bytes, order);                                     \
        return expected;                                                                                     \
    }
LANEWORK_ATTEMPT(unsigned char, 0)
LANEWORK_ATTEMPT(unsigned short, 1)
LANEWORK_ATTEMPT(unsigned, 2)
LANEWORK_ATTEMPT(unsigned long, 3)
}  // namespace lanework_simt

extern "C" {

LANEWORK_ATOMIC(8, 0, std::uint8_t)
LANEWORK_ATOMIC(16, 1, std::uint16_t)
LANEWORK_ATOMIC(32, 2, std::uint32_t)
LANEWORK_ATOMIC(64, 3, std::uint64_t)

void __tsan_atomic_thread_fence(int order) {
    if (__builtin_expect(hooks_active, 0) && order != __ATOMIC_RELAXED) {
        const Tape* const tape = lanework_simt::context.tape;
        const bool of_block = tape && tape->block_scope;
        record(LANEWORK_HOOK_PC(), EventKind::fence, of_block ? EventCode::kBlockScope : 0, nullptr);
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
