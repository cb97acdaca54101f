// Where blocks fold their values atomically. Integers are added to the result itself. Of floats a thousand additions in
// turn would err a thousand times as much as one: they are added in double, and since atomicAdd returns what was there
// before, each block knows what its addition rounded away, and adds that up beside. Extremes meet as unsigned numbers
// that are in the order of the values, with atomicMax: there is none for floats.
#pragma once

#include <bit>

#include "ops/reduce/fold.hpp"
#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Zero before the launch; of an extreme its first bytes are a Rank.
using AtomicFold = RunningSum<double>;

/// Larger for what is nearer to the extreme; 0 for no element.
template <class T>
using Rank = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;

template <ReduceForm form, class T>
__device__ Rank<T> rank_of(T value) {
    constexpr Rank<T> kSign = Rank<T>{1} << (8 * sizeof(T) - 1);
    const auto bits = std::bit_cast<Rank<T>>(value);
    // Of floats below 0 larger bits are smaller numbers.
    const Rank<T> up = std::is_integral_v<T> || !(bits & kSign) ? bits ^ kSign : ~bits;
    return form == ReduceForm::max ? up : ~up;
}
template <ReduceForm form, class T>
__device__ T value_of(Rank<T> rank) {
    constexpr Rank<T> kSign = Rank<T>{1} << (8 * sizeof(T) - 1);
    const Rank<T> up = form == ReduceForm::max ? rank : ~rank;
    return std::bit_cast<T>(std::is_integral_v<T> || (up & kSign) ? up ^ kSign : ~up);
}

template <ReduceForm form, class T>
__device__ void add_atomically(T* out, AtomicFold* total, T value) {
    if constexpr (form != ReduceForm::sum) {
        atomicMax(reinterpret_cast<Rank<T>*>(total), rank_of<form>(value));
    } else if constexpr (std::is_integral_v<T>) {
        atomicAdd(out, value);
    } else {
        const double added = value, before = atomicAdd(&total->sum, added);
        atomicAdd(&total->lost, rounded_away(before, added, before + added));
    }
}

template <ReduceForm form, class T>
__global__ void write_fold(const AtomicFold* total, T* out) {
    if constexpr (form == ReduceForm::sum)
        *out = static_cast<T>(total->value());
    else
        *out = value_of<form, T>(*reinterpret_cast<const Rank<T>*>(total));
}

/// Whether the blocks add to the result itself.
template <class T>
constexpr bool adds_in_place(ReduceForm form) {
    return form == ReduceForm::sum && std::is_integral_v<T>;
}

template <class T>
std::size_t fold_bytes(const ReduceArgs<T>& a) {
    return adds_in_place<T>(a.form) ? 0 : sizeof(AtomicFold);
}

/// Calls launch(total) between resetting what is folded into and, but for integer sums, writing it as the result.
template <ReduceForm form, class T, class Launch>
void with_fold(const ReduceArgs<T>& a, cudaStream_t stream, Launch launch) {
    AtomicFold* const total = static_cast<AtomicFold*>(a.workspace);
    if constexpr (adds_in_place<T>(form))
        LANEWORK_CHECK(cudaMemsetAsync(a.out, 0, sizeof(T), stream));
    else
        LANEWORK_CHECK(cudaMemsetAsync(total, 0, sizeof(AtomicFold), stream));
    launch(total);
    if constexpr (!adds_in_place<T>(form)) write_fold<form><<<1, 1, 0, stream>>>(total, a.out);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
