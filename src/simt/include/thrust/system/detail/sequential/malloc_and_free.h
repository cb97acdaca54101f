// Thrust's memory on the device, which its sequential system would take from the heap: here it is the simt device's, so
// that kernels, copies and checkers know it.
#pragma once

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>

#include <lanework_simt/memory.hpp>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

template <class DerivedPolicy>
inline void* malloc(execution_policy<DerivedPolicy>&, std::size_t bytes) {
    void* memory = nullptr;
    return ::lanework_simt::cudaMalloc(&memory, bytes) == ::lanework_simt::cudaSuccess ? memory : nullptr;
}

template <class DerivedPolicy, class Pointer>
inline void free(sequential::execution_policy<DerivedPolicy>&, Pointer pointer) {
    ::lanework_simt::cudaFree(static_cast<void*>(thrust::raw_pointer_cast(pointer)));
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END
