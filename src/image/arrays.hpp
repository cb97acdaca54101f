// Checks of plain arrays, for the functions of <lanework/detection.hpp>.
#pragma once

#include <fmt/format.h>

#include <cstdint>
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

/// Throws UsageError where an array has no address or one that its elements, or boxes, cannot have.
template <class T>
void require_array(std::string_view function, std::string_view name, const T* array,
                   std::uintptr_t alignment = alignof(T)) {
    if (!array) throw UsageError(fmt::format("{}: {} has no address", function, name));
    if (reinterpret_cast<std::uintptr_t>(array) % alignment != 0)
        throw UsageError(fmt::format("{}: {} does not begin at a multiple of {} bytes", function, name, alignment));
}

}  // namespace lanework::image
