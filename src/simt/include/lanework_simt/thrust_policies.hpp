// thrust::host and thrust::device, without the algorithms that thrust/execution_policy.h brings along.
#pragma once

#include <thrust/detail/config.h>

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CPP && THRUST_HOST_SYSTEM == THRUST_HOST_SYSTEM_CPP

#if __has_include(<thrust/system/cpp/detail/par.h>)
#include <thrust/system/cpp/detail/par.h>
#else  // since CCCL 3.2
#include <thrust/system/cpp/detail/execution_policy.h>
#endif

THRUST_NAMESPACE_BEGIN
namespace detail {
using host_t = thrust::system::cpp::detail::par_t;
using device_t = thrust::system::cpp::detail::par_t;
}  // namespace detail
static const detail::host_t host;
_CCCL_GLOBAL_CONSTANT detail::device_t device;
THRUST_NAMESPACE_END

#endif
