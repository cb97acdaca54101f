// Inline PTX as C++: each instruction becomes a call of a function of the simt device's headers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/cudafe/ptx_text.hpp"

namespace lanework::cudafe {

/// An operand of an assembly statement: %N is the variable lanework_N.
struct AssemblyOperand {
    /// Of [name] in front of it; may be empty.
    std::string name;
    /// 'h', 'r', 'l', 'f', 'd', or 'n' for a constant.
    char constraint = '\0';
};

/// What stands in PTX for the modifier of loads and stores that a macro's parameter gives: its number among those of
/// the statement.
std::string cache_hint(std::size_t number);

/// The C++ type of a constraint's register; empty for one that PTX does not have.
std::string register_type(char constraint);

/// Statements on lanework_0, lanework_1, … Throws PtxError for what is not understood or has no counterpart.
std::string ptx_calls(std::string_view text, const std::vector<AssemblyOperand>& operands);

}  // namespace lanework::cudafe
