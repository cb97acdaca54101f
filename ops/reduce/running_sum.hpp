// Sums whose error does not grow with the number of elements: what each addition rounds away is kept beside the sum
// (Neumaier's summation, with Knuth's TwoSum in place of a branch). Six instructions for one, of a thread that waits
// for memory anyway.
#pragma once

#include "ops/reduce/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What a + b rounds away, exactly; `sum` is a + b in T. No number where the sum is infinite.
template <class T>
__device__ T rounded_away(T a, T b, T sum) {
    const T of_b = sum - a;
    return (a - (sum - of_b)) + (b - of_b);
}

/// A sum and what it lost; integers lose nothing.
template <class T>
struct RunningSum {
    T sum{}, lost{};

    __device__ void add(T value) {
        const T next = plus(sum, value);
        if constexpr (!std::is_integral_v<T>) lost += rounded_away(sum, value, next);
        sum = next;
    }
    /// Within 2·(ε/2) of Σ|x| from the sum, to first order, however many were added. An infinite sum is what it is:
    /// what it lost is no number.
    __device__ T value() const {
        if constexpr (std::is_integral_v<T>)
            return sum;
        else
            return lost - lost == 0 ? sum + lost : sum;
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
