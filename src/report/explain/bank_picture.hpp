// Which of the 32 banks of shared memory a warp's request asks for which words, and in how many passes it is served.
#pragma once

#include "src/draw/style.hpp"
#include "src/trace/analyse/bank_use.hpp"

namespace lanework {

/// "2 wavefronts, where 1 would do: lanes 0 and 31 want words 0 and 32, both in bank 0; rows of 16 lanes are 17 words
/// apart".
std::string describe_banks(const ExampleRequest& request);
/// A row for each wavefront, with the banks that it reads.
std::string draw_bank_picture(const ExampleRequest& request, const Style& style);
/// Shared memory in rows of 32 words, a column for each bank; colours are wavefronts, numbers are lanes.
std::string bank_picture_svg(const ExampleRequest& request);

}  // namespace lanework
