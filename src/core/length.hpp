// The length of an axis as people type it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanework {

/// Reads "4096" or "2^12"; the largest number of 64 bits for one beyond it, nothing for what is no length.
std::optional<std::int64_t> parse_length(std::string_view text);

}  // namespace lanework
