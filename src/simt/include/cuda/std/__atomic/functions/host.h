// libcu++'s atomics of a host. A thread that reads one again and again may wait for another thread of its block, which
// runs when this one lets it: every access says that it may be such a wait.
#pragma once

#include <lanework_simt/thread.hpp>

#define __atomic_load(...) (::lanework_simt::spin_hint(), __atomic_load(__VA_ARGS__))
#define __atomic_exchange(...) (::lanework_simt::spin_hint(), __atomic_exchange(__VA_ARGS__))
#define __atomic_compare_exchange(...) (::lanework_simt::spin_hint(), __atomic_compare_exchange(__VA_ARGS__))
#include_next <cuda/std/__atomic/functions/host.h>
#undef __atomic_load
#undef __atomic_exchange
#undef __atomic_compare_exchange
