// Checks of plain arrays, for the functions of <lanework/detection.hpp>.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <lanework/error.hpp>
#include <limits>
#include <string_view>

namespace lanework::image {

/// Of arrays of boxes, which are read and written four numbers at a time.
inline constexpr std::uintptr_t kBoxAlignment = 16;

/// Throws UsageError: "nms: boxes.count is -1; 0 … 2³¹ − 1 is right".
inline void require_count(std::string_view function, std::string_view name, std::int64_t count) {
    if (count < 0 || count > std::numeric_limits<std::int32_t>::max())
        throw UsageError(fmt::format("{}: {} is {}; 0 … 2³¹ − 1 is right", function, name, count));
}

/// Throws UsageError for arrays of more elements than any memory has: "decode: 2147483647 × 2147483647 × 85 numbers are
/// more than 2^45". Counts are not negative.
inline void require_elements(std::string_view function, std::initializer_list<std::int64_t> counts) {
    constexpr std::int64_t kMost = std::int64_t{1} << 45;
    std::int64_t product = 1;
    bool fits = true;
    for (const std::int64_t count : counts)
        fits = fits && !__builtin_mul_overflow(product, std::max<std::int64_t>(count, 1), &product) && product <= kMost;
    if (!fits)
        throw UsageError(fmt::format("{}: {} numbers are more than 2^45, and than any memory has", function,
                                     fmt::join(counts, " × ")));
}

/// Throws UsageError for a threshold that nothing can be compared with; infinite ones let all pass, or nothing.
inline void require_threshold(std::string_view function, std::string_view name, float threshold) {
    if (!(threshold == threshold))
        throw UsageError(fmt::format("{}: {} is NaN, with which nothing can be compared", function, name));
}

/// Throws UsageError where an array has no address or one that its elements, or boxes, cannot have.
template <class T>
void require_array(std::string_view function, std::string_view name, const T* array,
                   std::uintptr_t alignment = alignof(T)) {
    if (!array) throw UsageError(fmt::format("{}: {} has no address", function, name));
    if (reinterpret_cast<std::uintptr_t>(array) % alignment != 0)
        throw UsageError(fmt::format("{}: {} does not begin at a multiple of {} bytes", function, name, alignment));
}

}  // namespace lanework::image
