// Macros whose parameters spell inline PTX: asm("shfl." #direction ".b32 …"). What such an assembly says is known where
// the macro is used, so that each use has a macro of its own, in which the arguments stand.
#pragma once

#include <functional>

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

/// Puts behind the macro's definition one for each use of it in the file's code, translated by `translate`, and these
/// in place of the uses. Of several definitions of a name, in branches of a conditional, each gets its own; a use is
/// replaced once, when `replaces_uses`. Uses whose arguments are more than plain words, and those in other macros and
/// other files, stay.
void spell_out(const TokenizedFile& file, const Brackets& brackets, const Macro& macro, bool replaces_uses,
               const std::function<std::string(const std::string& definition)>& translate, Edits& edits);

}  // namespace lanework::cudafe
