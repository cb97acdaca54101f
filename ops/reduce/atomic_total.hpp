// Where blocks add their sums atomically. Integers are added to the result itself. Of floats a thousand additions in
// turn would err a thousand times as much as one: they are added in double, and since atomicAdd returns what was there
// before, each block knows what its addition rounded away, and adds that up beside.
#pragma once

#include "ops/reduce/running_sum.hpp"
#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Zero before the launch.
using AtomicTotal = RunningSum<double>;

template <class T>
__device__ void add_atomically(T* out, AtomicTotal* total, T value) {
    if constexpr (std::is_integral_v<T>) {
        atomicAdd(out, value);
    } else {
        const double added = value, before = atomicAdd(&total->sum, added);
        atomicAdd(&total->lost, rounded_away(before, added, before + added));
    }
}

template <class T>
__global__ void write_total(const AtomicTotal* total, T* out) {
    *out = static_cast<T>(total->value());
}

template <class T>
std::size_t total_bytes(const ReduceArgs<T>&) {
    return std::is_integral_v<T> ? 0 : sizeof(AtomicTotal);
}

/// Calls launch(total) between resetting what is added to and, for floats, rounding it to the result.
template <class T, class Launch>
void with_total(const ReduceArgs<T>& a, cudaStream_t stream, Launch launch) {
    AtomicTotal* const total = static_cast<AtomicTotal*>(a.workspace);
    if constexpr (std::is_integral_v<T>)
        LANEWORK_CHECK(cudaMemsetAsync(a.out, 0, sizeof(T), stream));
    else
        LANEWORK_CHECK(cudaMemsetAsync(total, 0, sizeof(AtomicTotal), stream));
    launch(total);
    if constexpr (!std::is_integral_v<T>) write_total<<<1, 1, 0, stream>>>(total, a.out);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
