// What a rung makes of many elements: their sum, the smallest or the largest, or where that is. The form is a parameter
// of its kernels, so that each has code of its own and a sum pays nothing for the others. What is folded for a place is
// a value with its place.
#pragma once

#include <type_traits>

#include "ops/reduce/extreme.hpp"
#include "ops/reduce/passes.hpp"
#include "ops/reduce/running_sum.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What passes from level to level, and from launch to launch.
template <ReduceForm form, class T>
struct FoldedFrom {
    using Type = std::conditional_t<seeks_place(form), Candidate<T>, T>;
};
template <ReduceForm form, class T>
struct FoldedFrom<form, Candidate<T>> {
    using Type = Candidate<T>;
};
template <ReduceForm form, class T>
using Folded = typename FoldedFrom<form, T>::Type;

/// Its bytes.
template <class T>
constexpr std::size_t folded_bytes(ReduceForm form) {
    return seeks_place(form) ? sizeof(Candidate<T>) : sizeof(T);
}

/// What changes nothing: the fold of no elements.
template <ReduceForm form, class T>
__device__ constexpr T of_none() {
    if constexpr (form == ReduceForm::sum)
        return T{};
    else if constexpr (seeks_place(form))
        return nobody<seeks_largest(form), decltype(T::value)>();
    else
        return nobody<seeks_largest(form), T>().value;
}

/// An element as it enters a fold: NaN is never an extreme.
template <ReduceForm form, class T>
__device__ T entering(T value) {
    if constexpr (form == ReduceForm::sum || std::is_integral_v<T>)
        return value;
    else
        return value == value ? value : of_none<form, T>();
}

/// The same where its place may be sought.
template <ReduceForm form, class T>
__device__ Folded<form, T> entering(T value, std::int64_t place) {
    if constexpr (seeks_place(form))
        return value == value ? Candidate<T>{value, place} : of_none<form, Candidate<T>>();
    else
        return entering<form>(value);
}
/// What an earlier launch left has entered.
template <ReduceForm form, class T>
__device__ Candidate<T> entering(const Candidate<T>& candidate, std::int64_t) {
    return candidate;
}

/// Of two that entered. Of a zero of either sign both are the extreme.
template <ReduceForm form, class T>
__device__ T fold(T a, T b) {
    if constexpr (form == ReduceForm::sum)
        return plus(a, b);
    else if constexpr (seeks_place(form))
        return better<seeks_largest(form)>(a, b);
    else
        return (seeks_largest(form) ? b > a : b < a) ? b : a;
}

/// Writes what a block has folded: to the next launch, or as the result.
template <class T>
__device__ void write_folded(T* out, const T& folded) {
    *out = folded;
}
template <class T>
__device__ void write_folded(std::int64_t* out, const Candidate<T>& folded) {
    *out = place_of(folded);
}

/// A thread's fold of any number of elements: a sum is compensated.
template <ReduceForm form, class T>
struct RunningExtreme {
    T best = of_none<form, T>();

    __device__ void add(T value) { best = fold<form>(best, entering<form>(value)); }
    __device__ T value() const { return best; }
};
/// The same of values with their places.
template <ReduceForm form, class T>
struct RunningPlace {
    Folded<form, T> best = of_none<form, Folded<form, T>>();

    __device__ void add(T value, std::int64_t place) { best = fold<form>(best, entering<form>(value, place)); }
    __device__ Folded<form, T> value() const { return best; }
};
template <ReduceForm form, class T>
using RunningFold =
    std::conditional_t<form == ReduceForm::sum, RunningSum<T>,
                       std::conditional_t<seeks_place(form), RunningPlace<form, T>, RunningExtreme<form, T>>>;

/// To a fold of either kind.
template <class Running, class T>
__device__ void add_element(Running& running, T value, std::int64_t place) {
    if constexpr (requires { running.add(value, place); })
        running.add(value, place);
    else
        running.add(value);
}

/// Calls launch(form) with the form as a std::integral_constant, of sums, minima and maxima.
template <class Launch>
void with_form(ReduceForm form, const Launch& launch) {
    switch (form) {
        case ReduceForm::min: return launch(std::integral_constant<ReduceForm, ReduceForm::min>());
        case ReduceForm::max: return launch(std::integral_constant<ReduceForm, ReduceForm::max>());
        default: return launch(std::integral_constant<ReduceForm, ReduceForm::sum>());
    }
}

/// The same of places, too.
template <class Launch>
void with_every_form(ReduceForm form, const Launch& launch) {
    switch (form) {
        case ReduceForm::argmin: return launch(std::integral_constant<ReduceForm, ReduceForm::argmin>());
        case ReduceForm::argmax: return launch(std::integral_constant<ReduceForm, ReduceForm::argmax>());
        default: return with_form(form, launch);
    }
}

/// Calls launch(out) with where the result belongs: the value, or its place.
template <ReduceForm form, class T, class Launch>
void with_result(const ReduceArgs<T>& a, const Launch& launch) {
    if constexpr (seeks_place(form))
        launch(a.place);
    else
        launch(a.out);
}

/// in_passes, with the result where it belongs.
template <ReduceForm form, class T, class Pass>
void fold_in_passes(const ReduceArgs<T>& a, std::int64_t per_block, Folded<form, T>* partial, Pass pass) {
    with_result<form>(a, [&](auto* out) { in_passes(a.in, a.n, per_block, partial, out, pass); });
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
