// A problem: the shape and element type that one operation is asked to compute.
#pragma once

#include <array>
#include <cstdint>
#include <lanework/dtype.hpp>

namespace lanework {

/// Lengths along an operation's axes, in the order of Operation::axes; unused entries are 1.
using Extents = std::array<std::int64_t, 8>;

/// Extents of an operation with as many axes as arguments: extents(100, 50) is 100 rows, 50 columns.
template <class... Lengths>
constexpr Extents extents(Lengths... lengths) {
    static_assert(sizeof...(Lengths) <= 8, "an operation has at most eight axes");
    Extents result{1, 1, 1, 1, 1, 1, 1, 1};
    [[maybe_unused]] std::size_t axis = 0;  // of an operation without axes
    ((result[axis++] = static_cast<std::int64_t>(lengths)), ...);
    return result;
}

struct Problem {
    Extents extent{1, 1, 1, 1, 1, 1, 1, 1};
    DType dtype = DType::int32;
    /// Which of Operation::variants is computed; 0 where there are none.
    std::uint8_t variant = 0;

    constexpr bool operator==(const Problem&) const = default;
};

/// The least number of parts of size `part` that cover `whole`; part > 0, whole >= 0.
template <class Whole, class Part>
constexpr auto ceil_div(Whole whole, Part part) {
    return (whole + part - 1) / part;
}

}  // namespace lanework
