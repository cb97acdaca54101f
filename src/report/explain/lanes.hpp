// What pictures of a warp have in common: lists of lanes, and rows of which many are alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanework {

/// "lane 3", "lanes 0–7", "lanes 0, 2, 4 … 30", "lanes 0–3, 8–11 and 16 others"; "no lane".
std::string lane_list(std::uint32_t lanes);

/// What is written into a cell: "5" for one lane, "0+7" for the first and how many others share it; empty for none.
std::string cell_label(std::uint32_t lanes);

/// All rows, or the first ones, a line that says how many are left out, and the last one. Rows end with a newline.
std::string first_and_last(const std::vector<std::string>& rows, const std::string& indent, const char* what);

}  // namespace lanework
