// The table of `lanework index`: one row for each thread of a launch.
#pragma once

#include <cstdint>
#include <span>

#include "src/draw/table.hpp"

namespace lanework {

/// `records` are those of the operation `coordinates`, one after the other.
Table coordinates_table(std::span<const std::uint64_t> records);
/// {"schema":1,"device","threads":[{"blockIdx":[x,y,z],…}]}
std::string coordinates_to_json(std::span<const std::uint64_t> records, const std::string& device);

}  // namespace lanework
