// Which loops a GPU's compiler unrolls, as far as the source's text says it: a host compiler keeps them, and an array
// that is indexed by their counter looks as if its index varied.
#pragma once

#include <string>
#include <string_view>

namespace lanework {

/// Whether the innermost loop around a line (from 1) has `#pragma unroll` (not `unroll 1`) above it, or counts from one
/// constant to another: a number, or a name that is written as constants are (kLike, LIKE). False without a loop.
bool is_in_unrolled_loop(std::string_view text, int line);

/// The same of a line of a file, which is read once; false where it cannot be read.
bool is_in_unrolled_loop_of(const std::string& project_file, int line);

}  // namespace lanework
