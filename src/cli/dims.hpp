// Whole numbers along one to three axes, as a user types them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lanework {

/// Reads "4", "4,2" or "4,2,1"; what is left out is 1. Throws UsageError that names the option.
std::array<std::int64_t, 3> parse_dims(std::string_view name, std::string_view text);
/// Reads "4", which is that of all edges of a body, or "4,2,1". Throws UsageError that names the option.
std::array<std::int64_t, 3> parse_edges(std::string_view name, std::string_view text);

}  // namespace lanework
