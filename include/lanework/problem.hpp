// A problem: the shape and element type that one operation is asked to compute.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <lanework/dtype.hpp>
#include <string_view>
#include <utility>

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

/// Names an operation's axes, in order. LANEWORK_AXES(TransposeAxes, rows, cols) is a struct of the lengths along them;
/// TransposeAxes::names is the list for Operation::axes.
#define LANEWORK_AXES(Axes, ...)                                                                       \
    struct Axes {                                                                                      \
        std::int64_t __VA_ARGS__;                                                                      \
        static constexpr auto names =                                                                  \
            ::lanework::detail::names_in<::lanework::detail::count_names(#__VA_ARGS__)>(#__VA_ARGS__); \
    }

namespace detail {

constexpr std::size_t count_names(std::string_view list) {
    std::size_t count = 1;
    for (const char character : list) count += character == ',' ? 1 : 0;
    return count;
}
/// "rows, cols" is {"rows", "cols"}.
template <std::size_t count>
constexpr std::array<std::string_view, count> names_in(std::string_view list) {
    std::array<std::string_view, count> names;
    std::size_t end = 0;
    for (std::string_view& name : names) {
        const std::size_t begin = list.find_first_not_of(", ", end);
        end = list.find_first_of(", ", begin);
        name = list.substr(begin, end - begin);
    }
    return names;
}
template <class Axes, std::size_t... axis>
constexpr Axes lengths_of(const Extents& extent, std::index_sequence<axis...>) {
    return {extent[axis]...};
}

}  // namespace detail

struct Problem {
    Extents extent{1, 1, 1, 1, 1, 1, 1, 1};
    DType dtype = DType::int32;
    /// Which of Operation::variants is computed; 0 where there are none.
    std::uint8_t variant = 0;

    /// The lengths under their names: problem.lengths<TransposeAxes>().rows.
    template <class Axes>
    constexpr Axes lengths() const {
        return detail::lengths_of<Axes>(extent, std::make_index_sequence<Axes::names.size()>{});
    }

    constexpr bool operator==(const Problem&) const = default;
};

/// The least number of parts of size `part` that cover `whole`; part > 0, whole >= 0.
template <class Whole, class Part>
constexpr auto ceil_div(Whole whole, Part part) {
    return (whole + part - 1) / part;
}

}  // namespace lanework
