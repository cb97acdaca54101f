// Reduce: the sum of n elements. Integers wrap around; floating-point sums are as exact as a tree of additions.
#pragma once

#include <lanework/rung.hpp>
#include <type_traits>

namespace lanework {

template <class T>
struct ReduceArgs {
    using Element = T;
    const T* in;      ///< n elements
    T* out;           ///< 1 element: their sum, 0 for none
    std::int64_t n;   ///< elements; may exceed 2^31
    void* workspace;  ///< the bytes that the rung asked for

    static ReduceArgs from(const Problem& problem, const Buffers& buffers) {
        return {static_cast<const T*>(buffers.data[0]), static_cast<T*>(buffers.data[1]), problem.extent[0],
                buffers.workspace};
    }
};

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
