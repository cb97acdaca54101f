// libcu++'s atomics of a host. A thread that reads one again and again may wait for another thread of its block, which
// runs when this one lets it: every access says that it may be such a wait. What libcu++ makes of a load and a loop, a
// GPU does in one instruction: so does this, for `check` and the counters to see. A GPU's compare-and-swap is never
// weak.
#pragma once

#include <lanework_simt/atomics.hpp>
#include <lanework_simt/thread.hpp>

#define __atomic_load(place, ...) (::lanework_simt::spin_hint(place), __atomic_load(place, __VA_ARGS__))
#define __atomic_exchange(place, ...) (::lanework_simt::spin_hint(place), __atomic_exchange(place, __VA_ARGS__))
#define __atomic_compare_exchange(place, expected, desired, weak, success, failure) \
    (::lanework_simt::spin_hint(place), __atomic_compare_exchange(place, expected, desired, false, success, failure))
#define __atomic_fetch_add_host __lanework_fetch_add
#define __atomic_fetch_sub_host __lanework_fetch_sub
#define __atomic_fetch_max_host __lanework_fetch_max
#define __atomic_fetch_min_host __lanework_fetch_min
#include_next <cuda/std/__atomic/functions/host.h>
#undef __atomic_load
#undef __atomic_exchange
#undef __atomic_compare_exchange
#undef __atomic_fetch_add_host
#undef __atomic_fetch_sub_host
#undef __atomic_fetch_max_host
#undef __atomic_fetch_min_host

#ifdef _LIBCUDACXX_BEGIN_NAMESPACE_STD
_LIBCUDACXX_BEGIN_NAMESPACE_STD
#else
_CCCL_BEGIN_NAMESPACE_CUDA_STD
#endif

#define LANEWORK_SIMT_LOOP(changed)                                                                              \
    ::lanework_simt::atomic_update::update(                                                                      \
        const_cast<remove_cv_t<_Tp>*>(__a), [=](remove_cv_t<_Tp> __old) -> remove_cv_t<_Tp> { return changed; }, \
        __atomic_order_to_int(__order))

template <typename _Tp, typename _Td>
inline remove_cv_t<_Tp> __atomic_fetch_add_host(_Tp* __a, _Td __delta, memory_order __order) {
    if constexpr (is_floating_point<_Tp>::value) {
        return LANEWORK_SIMT_LOOP(__old + __delta);
    } else {
        return __lanework_fetch_add(__a, __delta, __order);
    }
}

template <typename _Tp, typename _Td>
inline remove_cv_t<_Tp> __atomic_fetch_sub_host(_Tp* __a, _Td __delta, memory_order __order) {
    if constexpr (is_floating_point<_Tp>::value) {
        return LANEWORK_SIMT_LOOP(__old - __delta);
    } else {
        return __lanework_fetch_sub(__a, __delta, __order);
    }
}

template <typename _Tp, typename _Td>
inline remove_cv_t<_Tp> __atomic_fetch_max_host(_Tp* __a, _Td __val, memory_order __order) {
    return LANEWORK_SIMT_LOOP(__old > __val ? __old : __val);
}

template <typename _Tp, typename _Td>
inline remove_cv_t<_Tp> __atomic_fetch_min_host(_Tp* __a, _Td __val, memory_order __order) {
    return LANEWORK_SIMT_LOOP(__old < __val ? __old : __val);
}

#undef LANEWORK_SIMT_LOOP

#ifdef _LIBCUDACXX_END_NAMESPACE_STD
_LIBCUDACXX_END_NAMESPACE_STD
#else
_CCCL_END_NAMESPACE_CUDA_STD
#endif
