// What the hooks that instrumented kernels call have in common: their switch, and what they do when it is on.
#pragma once

#include "src/simt/flag.hpp"
#include "src/simt/observer.hpp"

namespace lanework_simt::engine {

/// True while something wants to see the accesses of kernels, or of the host (host_touches.hpp); all that a hook reads
/// otherwise.
extern HookSwitch hooks_active __attribute__((visibility("hidden")));

/// Of these, a seeded schedule, which interrupts threads at their accesses; false whenever hooks_active is.
extern Flag seeded __attribute__((visibility("hidden")));

/// Files that were compiled with these hooks and that this program has loaded so far.
extern unsigned instrumented_modules __attribute__((visibility("hidden")));

/// Ahead of an access of a kernel, by the code that `pc` returns to: puts it on the thread's tape and lets a seeded
/// schedule interrupt the thread. In host code, what the host touches is told.
void see_access(const volatile void* address, EventKind kind, unsigned log2_bytes, const void* pc);

/// The same for an atomic operation; see_atomic records alone, interrupt_atomic interrupts alone.
void see_atomic(const volatile void* address, unsigned log2_bytes, const void* pc);
void interrupt_atomic();

}  // namespace lanework_simt::engine

/// The address that the hook, in which this is written, returns to.
#define LANEWORK_HOOK_PC() __builtin_extract_return_addr(__builtin_return_address(0))
