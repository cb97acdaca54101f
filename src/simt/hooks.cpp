// The functions that -fsanitize=thread makes kernels call at each access: ours, in place of the sanitizer's. With
// nothing listening they return at once; a seeded schedule uses them to interrupt a thread between its accesses.
#include "src/simt/hooks.hpp"

#include <cstring>

#include "src/simt/worker.hpp"

namespace lanework_simt::engine {

bool hooks_active = false;

namespace {

constexpr unsigned kWriteOdds = 16, kReadOdds = 64;

[[gnu::noinline]] void before_write() {
    if (context.worker) context.worker->interrupt(kWriteOdds);
}
[[gnu::noinline]] void before_read() {
    if (context.worker) context.worker->interrupt(kReadOdds);
}

}  // namespace

}  // namespace lanework_simt::engine

using lanework_simt::spin_hint;
using lanework_simt::engine::before_read;
using lanework_simt::engine::before_write;
using lanework_simt::engine::hooks_active;

#define LANEWORK_READ() \
    if (__builtin_expect(hooks_active, 0)) before_read()
#define LANEWORK_WRITE() \
    if (__builtin_expect(hooks_active, 0)) before_write()

// Reading a volatile is what a thread does that waits for another one.
#define LANEWORK_ACCESS(bytes)                                           \
    void __tsan_read##bytes(void*) { LANEWORK_READ(); }                  \
    void __tsan_write##bytes(void*) { LANEWORK_WRITE(); }                \
    void __tsan_read_write##bytes(void*) { LANEWORK_WRITE(); }           \
    void __tsan_unaligned_read##bytes(void*) { LANEWORK_READ(); }        \
    void __tsan_unaligned_write##bytes(void*) { LANEWORK_WRITE(); }      \
    void __tsan_unaligned_read_write##bytes(void*) { LANEWORK_WRITE(); } \
    void __tsan_volatile_read##bytes(void*) {                            \
        LANEWORK_READ();                                                 \
        spin_hint();                                                     \
    }                                                                    \
    void __tsan_volatile_write##bytes(void*) { LANEWORK_WRITE(); }       \
    void __tsan_unaligned_volatile_read##bytes(void*) {                  \
        LANEWORK_READ();                                                 \
        spin_hint();                                                     \
    }                                                                    \
    void __tsan_unaligned_volatile_write##bytes(void*) { LANEWORK_WRITE(); }

extern "C" {

LANEWORK_ACCESS(1)
LANEWORK_ACCESS(2)
LANEWORK_ACCESS(4)
LANEWORK_ACCESS(8)
LANEWORK_ACCESS(16)

void __tsan_read_range(void*, unsigned long) { LANEWORK_READ(); }
void __tsan_write_range(void*, unsigned long) { LANEWORK_WRITE(); }
void __tsan_vptr_read(void**) { LANEWORK_READ(); }
void __tsan_vptr_update(void**, void*) { LANEWORK_WRITE(); }

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

void* __tsan_memcpy(void* to, const void* from, unsigned long bytes) {
    LANEWORK_WRITE();
    return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, unsigned long bytes) {
    LANEWORK_WRITE();
    return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, unsigned long bytes) {
    LANEWORK_WRITE();
    return std::memset(to, value, bytes);
}

}  // extern "C"
