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

#define LANEWORK_SIMT_LOAD(name)                     \
    template <class T>                               \
    LANEWORK_SIMT_BUILTIN T name(const T* address) { \
        return *address;                             \
    }
LANEWORK_SIMT_LOAD(__ldg)
LANEWORK_SIMT_LOAD(__ldca)
LANEWORK_SIMT_LOAD(__ldcg)
LANEWORK_SIMT_LOAD(__ldcs)
LANEWORK_SIMT_LOAD(__ldlu)
LANEWORK_SIMT_LOAD(__ldcv)
#undef LANEWORK_SIMT_LOAD

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

/// Orders this thread's accesses to memory for every other thread.
void memory_fence();
LANEWORK_SIMT_BUILTIN void __threadfence_block() { memory_fence(); }
LANEWORK_SIMT_BUILTIN void __threadfence() { memory_fence(); }
LANEWORK_SIMT_BUILTIN void __threadfence_system() { memory_fence(); }

// clock() is the C library's: a counter too, of microseconds of processor time.
/// A counter that advances steadily, at no stated rate.
inline long long clock64() {
#if defined(__x86_64__)
    return (long long)(__builtin_ia32_rdtsc());
#else
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
#endif
}

/// Counters for a profiler, and breakpoints for a debugger: there is none to tell.
inline void __prof_trigger(int) {}
inline void __brkpt(int = 0) {}

}  // namespace lanework_simt
