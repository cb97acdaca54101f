// What a rung makes of many elements: their sum, the smallest or the largest. The form is a parameter of its kernels,
// so that each has code of its own and a sum pays nothing for the others. Where an extreme is, `extremes` says: the
// trees here carry no places.
#pragma once

#include <type_traits>

#include "ops/reduce/extreme.hpp"
#include "ops/reduce/running_sum.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What changes nothing: the fold of no elements.
template <ReduceForm form, class T>
__device__ constexpr T of_none() {
    if constexpr (form == ReduceForm::sum)
        return T{};
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

/// Of two that entered. Of a zero of either sign both are the extreme.
template <ReduceForm form, class T>
__device__ T fold(T a, T b) {
    if constexpr (form == ReduceForm::sum)
        return plus(a, b);
    else
        return (seeks_largest(form) ? b > a : b < a) ? b : a;
}

/// A thread's fold of any number of elements: a sum is compensated.
template <ReduceForm form, class T>
struct RunningExtreme {
    T best = of_none<form, T>();

    __device__ void add(T value) { best = fold<form>(best, entering<form>(value)); }
    __device__ T value() const { return best; }
};
template <ReduceForm form, class T>
using RunningFold = std::conditional_t<form == ReduceForm::sum, RunningSum<T>, RunningExtreme<form, T>>;

/// Calls launch(form) with the form as a std::integral_constant.
template <class Launch>
void with_form(ReduceForm form, const Launch& launch) {
    switch (form) {
        case ReduceForm::min: return launch(std::integral_constant<ReduceForm, ReduceForm::min>());
        case ReduceForm::max: return launch(std::integral_constant<ReduceForm, ReduceForm::max>());
        default: return launch(std::integral_constant<ReduceForm, ReduceForm::sum>());
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
