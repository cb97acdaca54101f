// Where blocks fold their values atomically. Integers are added to the result itself. Of floats a thousand additions in
// turn would err a thousand times as much as one: they are added in double, and since atomicAdd returns what was there
// before, each block knows what its addition rounded away, and adds that up beside. Extremes meet as unsigned numbers
// that are in the order of the values, with atomicMax: there is none for floats. A place stands below its value in one
// such number.
#pragma once

#include <bit>

#include "ops/reduce/fold.hpp"
#include "ops/reduce/operation.hpp"
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
    return seeks_largest(form) ? up : ~up;
}
template <ReduceForm form, class T>
__device__ T value_of(Rank<T> rank) {
    constexpr Rank<T> kSign = Rank<T>{1} << (8 * sizeof(T) - 1);
    const Rank<T> up = seeks_largest(form) ? rank : ~rank;
    return std::bit_cast<T>(std::is_integral_v<T> || (up & kSign) ? up ^ kSign : ~up);
}

// A value of 32 bits and its place are one unsigned number: above the value's rank, below it what is larger for earlier
// places. Of a zero of either sign both have one rank.
inline constexpr std::uint64_t kMostPlaces = 0xFFFFFFFF;

template <ReduceForm form, class T>
__device__ unsigned long long rank_of(const Candidate<T>& best) {
    const unsigned long long rank = rank_of<form>(best.value + T{});
    return rank << 32 | (kMostPlaces - static_cast<std::uint64_t>(best.place));
}
__device__ inline std::int64_t place_of_rank(unsigned long long rank) {
    return rank == 0 ? -1 : static_cast<std::int64_t>(kMostPlaces - (rank & kMostPlaces));
}

/// Why places do not meet in an atomic maximum; empty where they do, and for sums, minima and maxima.
inline std::string_view refuse_wide_places(const Problem& p) {
    if (!seeks_place(static_cast<ReduceForm>(p.variant))) return {};
    if (size_of(p.dtype) > 4)
        return "blocks meet in atomicMax, which takes 8 bytes: a float64 and its place are more; `extremes` takes them";
    if (p.lengths<ReduceAxes>().n > static_cast<std::int64_t>(kMostPlaces))
        return "blocks meet in atomicMax, which takes 8 bytes: beside a value, places end at 4294967295";
    return {};
}

template <ReduceForm form, class T>
__device__ void add_atomically(T*, AtomicFold* total, const Candidate<T>& best) {
    if (place_of(best) >= 0) atomicMax(reinterpret_cast<unsigned long long*>(total), rank_of<form>(best));
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

template <ReduceForm>
__global__ void write_place(const AtomicFold* total, std::int64_t* place) {
    *place = place_of_rank(*reinterpret_cast<const unsigned long long*>(total));
}

/// Calls launch(form) with the form as a std::integral_constant, where folds of T in that form meet in one atomic.
template <class T, class Launch>
void with_form_of_atomics(ReduceForm form, const Launch& launch) {
    if constexpr (sizeof(T) == 4)
        with_every_form(form, launch);
    else
        with_form(form, launch);
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
    if constexpr (seeks_place(form))
        write_place<form><<<1, 1, 0, stream>>>(total, a.place);
    else if constexpr (!adds_in_place<T>(form))
        write_fold<form><<<1, 1, 0, stream>>>(total, a.out);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
