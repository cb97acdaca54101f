// What an access of 16 bytes is: of a vector, such as float4, whose address must be a multiple of 16, or of a structure
// of words that are copied together, which a GPU accesses one by one. Compilers call one hook for both, but move with
// MOVAPS what they know to lie on 16 bytes, and with MOVUPS what need not.
#pragma once

#include <cstdint>
#include <span>

namespace lanework {

enum class WideAccess { vector, words, unknown };

/// What is loaded, or stored, behind the hook that returns to this offset into the code.
WideAccess wide_access(std::span<const std::uint8_t> code, std::size_t hook, bool stores);
/// The same of the loaded program's code; unknown on processors other than x86-64.
WideAccess wide_access_of_program(std::uint64_t hook, bool stores);

}  // namespace lanework
