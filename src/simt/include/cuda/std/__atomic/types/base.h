// libcu++'s atomics on objects of any type. Its functions for a host drop the scope: `check` is told which accesses are
// atomic for the threads of one block alone.
#pragma once

#include <cuda/std/__atomic/functions/host.h>
#include <cuda/std/__atomic/scopes.h>

#include <lanework_simt/atomics.hpp>
#include <type_traits>

#ifdef LANEWORK_SIMT_WATCHED
#define LANEWORK_SIMT_SCOPED(...) \
    ((void)::lanework_simt::BlockScope(::std::is_same_v<_Sco, ::cuda::std::__thread_scope_block_tag>), __VA_ARGS__)
#define __atomic_load_host(...) LANEWORK_SIMT_SCOPED(__atomic_load_host(__VA_ARGS__))
#define __atomic_store_host(...) LANEWORK_SIMT_SCOPED(__atomic_store_host(__VA_ARGS__))
#define __atomic_exchange_host(...) LANEWORK_SIMT_SCOPED(__atomic_exchange_host(__VA_ARGS__))
#define __atomic_compare_exchange_strong_host(...) \
    LANEWORK_SIMT_SCOPED(__atomic_compare_exchange_strong_host(__VA_ARGS__))
#define __atomic_compare_exchange_weak_host(...) LANEWORK_SIMT_SCOPED(__atomic_compare_exchange_weak_host(__VA_ARGS__))
#define __atomic_fetch_add_host(...) LANEWORK_SIMT_SCOPED(__atomic_fetch_add_host(__VA_ARGS__))
#define __atomic_fetch_sub_host(...) LANEWORK_SIMT_SCOPED(__atomic_fetch_sub_host(__VA_ARGS__))
#define __atomic_fetch_and_host(...) LANEWORK_SIMT_SCOPED(__atomic_fetch_and_host(__VA_ARGS__))
#define __atomic_fetch_or_host(...) LANEWORK_SIMT_SCOPED(__atomic_fetch_or_host(__VA_ARGS__))
#define __atomic_fetch_xor_host(...) LANEWORK_SIMT_SCOPED(__atomic_fetch_xor_host(__VA_ARGS__))
#define __atomic_fetch_max_host(...) LANEWORK_SIMT_SCOPED(__atomic_fetch_max_host(__VA_ARGS__))
#define __atomic_fetch_min_host(...) LANEWORK_SIMT_SCOPED(__atomic_fetch_min_host(__VA_ARGS__))
#endif
#include_next <cuda/std/__atomic/types/base.h>
#ifdef LANEWORK_SIMT_WATCHED
#undef LANEWORK_SIMT_SCOPED
#undef __atomic_load_host
#undef __atomic_store_host
#undef __atomic_exchange_host
#undef __atomic_compare_exchange_strong_host
#undef __atomic_compare_exchange_weak_host
#undef __atomic_fetch_add_host
#undef __atomic_fetch_sub_host
#undef __atomic_fetch_and_host
#undef __atomic_fetch_or_host
#undef __atomic_fetch_xor_host
#undef __atomic_fetch_max_host
#undef __atomic_fetch_min_host
#endif
