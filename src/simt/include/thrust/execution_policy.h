// Thrust's policies, where its device is the C++ system: thrust::host and thrust::device are those that every algorithm
// brings along.
#pragma once

#include <thrust/detail/config.h>

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CPP && THRUST_HOST_SYSTEM == THRUST_HOST_SYSTEM_CPP

#include <thrust/detail/execute_with_allocator.h>
#include <thrust/detail/seq.h>
#include <thrust/system/cpp/execution_policy.h>

#include <lanework_simt/thrust_policies.hpp>

THRUST_NAMESPACE_BEGIN
template <class Policy>
struct host_execution_policy : thrust::system::cpp::execution_policy<Policy> {};
template <class Policy>
struct device_execution_policy : thrust::system::cpp::execution_policy<Policy> {};
THRUST_NAMESPACE_END

#else
#include_next <thrust/execution_policy.h>
#endif
