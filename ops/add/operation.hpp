// Addition: z = x + y, element by element.
#pragma once

#include <lanework/half.hpp>
#include <lanework/rung.hpp>
#include <type_traits>

#include "src/core/one_row.hpp"

namespace lanework {

LANEWORK_AXES(AddAxes, n);

/// a + b, rounded once; integers wrap around. In float a sum of two halves is rounded so finely that the second
/// rounding makes no difference.
template <class T>
constexpr T sum_of(T a, T b) {
    if constexpr (std::is_same_v<T, float16>)
        return to_float16(to_float(a) + to_float(b));
    else if constexpr (std::is_same_v<T, bfloat16>)
        return to_bfloat16(to_float(a) + to_float(b));
    else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
    else
        return a + b;
}

template <class T>
struct AddArgsOf {
    using Element = T;
    const Element* x;                        ///< n
    const Element* y;                        ///< n
    Element* z;                              ///< n; overlaps x and y nowhere or is one of them
    std::int64_t n;                          ///< elements
    std::int64_t cols;                       ///< of which a row has so many: n where they lie side by side
    std::int64_t x_pitch, y_pitch, z_pitch;  ///< elements from a row to the next; of one row nobody reads it

    static AddArgsOf from(const Problem& problem, const Buffers& buffers) {
        const auto [x, y, z] = buffers.arrays<const Element, const Element, Element>();
        const auto [n] = problem.lengths<AddAxes>();
        return {x, y, z, n, n, n, n, n};
    }
    bool empty() const { return n == 0; }
};
/// Of floats, which the ladder's steps are told with.
using AddArgs = AddArgsOf<float>;

}  // namespace lanework

using add_signature =
    lanework::Signature<lanework::AddArgs, lanework::AddArgsOf<double>, lanework::AddArgsOf<std::int32_t>,
                        lanework::AddArgsOf<lanework::float16>, lanework::AddArgsOf<lanework::bfloat16>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
