// How libcu++ waits: the other threads of a block run meanwhile, where a host's thread would sleep.
#pragma once

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include <lanework_simt/quiet.hpp>
#include <lanework_simt/thread.hpp>

namespace lanework_simt {
inline int give_way() {
    if (!quiet_load(context.worker)) return ::sched_yield();
    yield();
    return 0;
}
}  // namespace lanework_simt

#define sched_yield() ::lanework_simt::give_way()
#define nanosleep(...) ::lanework_simt::give_way()
#include_next <cuda/std/__thread/threading_support_pthread.h>
#undef sched_yield
#undef nanosleep
