// CUDA's loads and stores with a cache hint, fences and clocks. The hints change no result, so here they change
// nothing.
#pragma once

#include <time.h>

#include <lanework_simt/qualifiers.hpp>

namespace lanework_simt {
namespace access_hints {
template <class T>
struct Exactly {
    using Type = T;
};
}  // namespace access_hints
/// Orders this thread's accesses to memory for every other thread, or for those of its block alone.
void memory_fence();
void block_fence();

inline namespace api {

#define LANEWORK_SIMT_LOAD(name)                     \
    template <class T>                               \
    LANEWORK_SIMT_BUILTIN T name(const T* address) { \
        return *address;                             \
    }
LANEWORK_SIMT_LOAD(__ldg)
LANEWORK_SIMT_LOAD(__ldca)
LANEWORK_SIMT_LOAD(__ldcs)
LANEWORK_SIMT_LOAD(__ldlu)
#undef LANEWORK_SIMT_LOAD

// These read memory each time, and so may stand in a loop that waits for another thread's write.
#define LANEWORK_SIMT_FRESH_LOAD(name)               \
    template <class T>                               \
    LANEWORK_SIMT_BUILTIN T name(const T* address) { \
        asm volatile("" ::: "memory");               \
        return *address;                             \
    }
LANEWORK_SIMT_FRESH_LOAD(__ldcg)
LANEWORK_SIMT_FRESH_LOAD(__ldcv)
#undef LANEWORK_SIMT_FRESH_LOAD

#define LANEWORK_SIMT_STORE(name)                                                                \
    template <class T>                                                                           \
    LANEWORK_SIMT_BUILTIN void name(T* address, typename access_hints::Exactly<T>::Type value) { \
        *address = value;                                                                        \
    }
LANEWORK_SIMT_STORE(__stwb)
LANEWORK_SIMT_STORE(__stcg)
LANEWORK_SIMT_STORE(__stcs)
LANEWORK_SIMT_STORE(__stwt)
#undef LANEWORK_SIMT_STORE

LANEWORK_SIMT_BUILTIN void __threadfence_block() { block_fence(); }
LANEWORK_SIMT_BUILTIN void __threadfence() { memory_fence(); }
LANEWORK_SIMT_BUILTIN void __threadfence_system() { memory_fence(); }

/// A counter that advances at the clock rate of the GPU that the device stands for: a difference of two, divided by
/// cudaDevAttrClockRate, is the time that passed in milliseconds.
long long clock64();
/// What cudafe writes in place of `clock` in device code; elsewhere clock() is the C library's.
inline clock_t __clk() { return (clock_t)clock64(); }

/// Counters for a profiler, and breakpoints for a debugger: there is none to tell.
inline void __prof_trigger(int) {}
inline void __brkpt(int = 0) {}

}  // namespace api
}  // namespace lanework_simt
