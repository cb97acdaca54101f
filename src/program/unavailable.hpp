// Parts of CUDA that the simt device does not have, told by the names that a compiler does not know.
#pragma once

#include <string>
#include <string_view>

namespace lanework {

/// "; the simt device has no driver API (cuInit, cuMemAlloc)": what is missing of the names that a compiler's messages
/// call unknown. Empty where there is none of them.
std::string unavailable_in(std::string_view messages);

}  // namespace lanework
