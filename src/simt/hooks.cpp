// The functions that -fsanitize=thread and -fsanitize-coverage make kernels call: ours, in place of the sanitizer's.
// With nothing listening they return at once; a seeded schedule uses them to interrupt a thread between its accesses,
// and an observer gets them on tapes.
#include "src/simt/hooks.hpp"

#include <algorithm>
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <lanework_simt/lockstep.hpp>
#include <utility>

#include "src/simt/worker.hpp"

namespace lanework_simt::engine {

HookSwitch hooks_active;
Flag seeded;
unsigned instrumented_modules = 0;

namespace {

constexpr unsigned kWriteOdds = 16, kReadOdds = 64;
constexpr std::size_t kWidest = 16;
/// Bytes of a wide access of the host of which one is told: no more than a page.
constexpr std::size_t kHostStep = 4096;

unsigned odds_of(EventKind kind) { return kind == EventKind::load ? kReadOdds : kWriteOdds; }

/// An access of any size: pieces as wide as its alignment and its end allow. A type's size is a multiple of its
/// alignment, so that one of 24 bytes is read eight bytes at a time wherever it lies.
[[gnu::noinline]] void see_range(const void* address, std::size_t bytes, EventKind kind, const void* pc) {
    const auto* at = static_cast<const std::byte*>(address);
    if (!context.worker) {
        const bool writes = kind != EventKind::load;
        for (std::size_t seen = 0; seen < bytes; seen += kHostStep) see_host_access(at + seen, writes);
        if (bytes != 0) see_host_access(at + bytes - 1, writes);
        return;
    }
    if (!may_give_way()) return;
    const std::size_t widest = bytes | kWidest;
    while (context.tape && bytes != 0) {
        const std::size_t alignment = std::size_t{1} << std::countr_zero(reinterpret_cast<std::uintptr_t>(at) | widest);
        const std::size_t piece = std::min(alignment, std::bit_floor(bytes));
        record(pc, kind, static_cast<unsigned>(std::countr_zero(piece)), at);
        at += piece;
        bytes -= piece;
    }
    if (seeded) context.worker->interrupt(odds_of(kind));
}

[[gnu::noinline]] void see_bad_index(const void* index, const void* pc) {
    if (!context.tape) return;
    const Unwatched pause;
    observer()->index_out_of_bounds(observed_block(*context.block), context.thread, reinterpret_cast<std::uint64_t>(pc),
                                    reinterpret_cast<std::intptr_t>(index));
}

[[gnu::noinline]] void see_seeded_access(const volatile void* address, EventKind kind, unsigned log2_bytes,
                                         const void* pc) {
    record(pc, kind, log2_bytes, address);
    if (may_give_way()) context.worker->interrupt(odds_of(kind));
}

[[gnu::noinline]] void see_path(const void* pc) { record(pc, EventKind::path, 0, nullptr); }

}  // namespace

[[gnu::noinline]] void see_access(const volatile void* address, EventKind kind, unsigned log2_bytes, const void* pc) {
    if (seeded) [[unlikely]]
        return see_seeded_access(address, kind, log2_bytes, pc);
    record(pc, kind, log2_bytes, address);
}

[[gnu::noinline]] void see_atomic(const volatile void* address, unsigned log2_bytes, const void* pc) {
    if (!context.tape) return see_host_access(address, true);
    const bool unused = std::exchange(context.tape->old_value_unused, false);
    if (context.tape->block_scope) log2_bytes |= EventCode::kBlockScope;
    record(pc, unused ? EventKind::reduction : EventKind::atomic, log2_bytes, address);
}

[[gnu::noinline]] void interrupt_atomic() {
    if (seeded && may_give_way()) yield();
}

}  // namespace lanework_simt::engine

using lanework_simt::EventCode;
using lanework_simt::EventKind;
using lanework_simt::engine::hooks_active;
using lanework_simt::engine::observed;
using lanework_simt::engine::see_access;
using lanework_simt::engine::see_bad_index;
using lanework_simt::engine::see_path;
using lanework_simt::engine::see_range;

#define LANEWORK_SEE(kind, log2_bytes) \
    if (__builtin_expect(hooks_active, 0)) see_access(address, EventKind::kind, log2_bytes, LANEWORK_HOOK_PC())
#define LANEWORK_HOOK(name, kind, log2_bytes) \
    void __tsan_##name(void* address) { LANEWORK_SEE(kind, log2_bytes); }
// The lanes of a warp meet at their volatile accesses, and reading one is what a thread does that waits for another
// one.
#define LANEWORK_VOLATILE_HOOK(name, kind, log2_bytes)                                             \
    void __tsan_##name(void* address) {                                                            \
        LANEWORK_SEE(kind, log2_bytes | EventCode::kVolatile);                                     \
        lanework_simt::lockstep_at(reinterpret_cast<std::uintptr_t>(LANEWORK_HOOK_PC()), address); \
    }
// Wider than its type's alignment, as a struct of two words that is copied at once: a GPU takes pieces.
#define LANEWORK_UNALIGNED(name, kind, bytes) \
    void __tsan_##name(void* address) { LANEWORK_SEE_RANGE(address, bytes, kind); }
#define LANEWORK_ACCESS(bytes, log2_bytes)                                     \
    LANEWORK_HOOK(read##bytes, load, log2_bytes)                               \
    LANEWORK_HOOK(write##bytes, store, log2_bytes)                             \
    LANEWORK_UNALIGNED(unaligned_read##bytes, load, bytes)                     \
    LANEWORK_UNALIGNED(unaligned_write##bytes, store, bytes)                   \
    LANEWORK_VOLATILE_HOOK(volatile_write##bytes, store, log2_bytes)           \
    LANEWORK_VOLATILE_HOOK(unaligned_volatile_write##bytes, store, log2_bytes) \
    LANEWORK_VOLATILE_HOOK(volatile_read##bytes, load, log2_bytes)             \
    LANEWORK_VOLATILE_HOOK(unaligned_volatile_read##bytes, load, log2_bytes)   \
    void __tsan_read_write##bytes(void* address) {                             \
        LANEWORK_SEE(load, log2_bytes);                                        \
        LANEWORK_SEE(store, log2_bytes);                                       \
    }                                                                          \
    void __tsan_unaligned_read_write##bytes(void* address) {                   \
        LANEWORK_SEE_RANGE(address, bytes, load);                              \
        LANEWORK_SEE_RANGE(address, bytes, store);                             \
    }
#define LANEWORK_SEE_RANGE(address, bytes, kind) \
    if (__builtin_expect(hooks_active, 0)) see_range(address, bytes, EventKind::kind, LANEWORK_HOOK_PC())

extern "C" {

LANEWORK_ACCESS(1, 0)
LANEWORK_ACCESS(2, 1)
LANEWORK_ACCESS(4, 2)
LANEWORK_ACCESS(8, 3)
LANEWORK_ACCESS(16, 4)

void __tsan_read_range(void* address, unsigned long bytes) { LANEWORK_SEE_RANGE(address, bytes, load); }
void __tsan_write_range(void* address, unsigned long bytes) { LANEWORK_SEE_RANGE(address, bytes, store); }
void __tsan_vptr_read(void** address) { LANEWORK_SEE(load, 3); }
void __tsan_vptr_update(void** address, void*) { LANEWORK_SEE(store, 3); }

/// Each instrumented file calls it as the program starts.
void __tsan_init() { ++lanework_simt::engine::instrumented_modules; }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

void* __tsan_memcpy(void* to, const void* from, unsigned long bytes) {
    LANEWORK_SEE_RANGE(from, bytes, load);
    LANEWORK_SEE_RANGE(to, bytes, store);
    return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, unsigned long bytes) {
    LANEWORK_SEE_RANGE(from, bytes, load);
    LANEWORK_SEE_RANGE(to, bytes, store);
    return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, unsigned long bytes) {
    LANEWORK_SEE_RANGE(to, bytes, store);
    return std::memset(to, value, bytes);
}

// What kernels print, and what compilers make of it. On the host each is what the C library has of that name.
int __tsan_vprintf(const char* format, va_list values) {
    lanework_simt::engine::note_print();
    return std::vprintf(format, values);
}
int __tsan_printf(const char* format, ...) {
    va_list values;
    va_start(values, format);
    const int printed = __tsan_vprintf(format, values);
    va_end(values);
    return printed;
}
int __tsan___printf_chk(int, const char* format, ...) {
    va_list values;
    va_start(values, format);
    const int printed = __tsan_vprintf(format, values);
    va_end(values);
    return printed;
}
int __tsan___vprintf_chk(int, const char* format, va_list values) {
    lanework_simt::engine::note_print();
    return std::vprintf(format, values);
}
int __tsan_puts(const char* text) {
    lanework_simt::engine::note_print();
    return std::puts(text);
}
int __tsan_putchar(int character) {
    lanework_simt::engine::note_print();
    return std::putchar(character);
}

/// Of -fsanitize=bounds: the index of an array of known length is outside of it. The access follows.
void __ubsan_handle_out_of_bounds(void*, void* index) {
    if (__builtin_expect(hooks_active, 0)) see_bad_index(index, LANEWORK_HOOK_PC());
}

/// Of -fsanitize-coverage=trace-pc: at the start of every basic block.
void __sanitizer_cov_trace_pc() {
    if (__builtin_expect(observed, 0)) see_path(LANEWORK_HOOK_PC());
}

}  // extern "C"
