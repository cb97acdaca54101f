// Reduce: n elements become one: their sum, the smallest or the largest, or where that is. Integer sums wrap around;
// floating-point sums are as exact as a tree of additions.
#pragma once

#include <lanework/array_view.hpp>
#include <lanework/rung.hpp>
#include <type_traits>

#include "src/core/one_row.hpp"

namespace lanework {

constexpr bool seeks_largest(ReduceForm form) { return form == ReduceForm::max || form == ReduceForm::argmax; }

LANEWORK_AXES(ReduceAxes, n);

template <class T>
struct ReduceArgs {
    using Element = T;
    const T* in;      ///< n elements
    T* out;           ///< 1 element: their sum, 0 for none; or their extreme, for none the identity of min or max
    std::int64_t n;   ///< elements; may exceed 2^31
    void* workspace;  ///< the bytes that the rung asked for
    ReduceForm form;
    std::int64_t* place;  ///< instead of `out` where a place is sought: the lowest index of the extreme, −1 for none
    std::int64_t cols;    ///< elements of a row: n where they lie side by side. A place counts rows without their gaps
    std::int64_t pitch;   ///< elements from a row to the next; of one row nobody reads it

    static ReduceArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const T, void>();
        const auto [n] = problem.lengths<ReduceAxes>();
        return {in,
                static_cast<T*>(out),
                n,
                buffers.workspace,
                static_cast<ReduceForm>(problem.variant),
                static_cast<std::int64_t*>(out),
                n,
                n};
    }
};

/// Why a rung that shows how floats add up computes nothing else; empty for sums.
inline std::string_view refuse_other_forms(const Problem& p) {
    return static_cast<ReduceForm>(p.variant) == ReduceForm::sum ? std::string_view()
                                                                 : "this rung adds; others find minima and maxima";
}

/// Runs of the rung that shows what long ones do.
inline constexpr int kLongRuns = 128;

/// Why a rung that shows what one float, or a few, make of many elements does not take this problem.
inline std::string_view refuse_beyond_one_thread(const Problem& p) {
    if (p.lengths<ReduceAxes>().n > std::int64_t{1} << 27)
        return "so few threads would take minutes; 134217728 elements are the most";
    return refuse_other_forms(p);
}

/// a + b. Integers wrap around: they are added as unsigned numbers, where overflow is defined.
template <class T>
constexpr T plus(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using Unsigned = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else {
        return a + b;
    }
}

}  // namespace lanework

using reduce_signature =
    lanework::Signature<lanework::ReduceArgs<std::int32_t>, lanework::ReduceArgs<float>, lanework::ReduceArgs<double>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
