// Inline PTX: asm("…" : "=r"(x) : "r"(y)) becomes calls of the simt device's functions.
#pragma once

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

/// The token that begins the first assembly of a stream that is no PTX and not empty, an assembler's name for a
/// function among it; null for none.
const Token* host_assembly(const Stream& stream);

/// Rewrites the assembly statements of a stream that hold PTX; the host's own assembly stays. What has no counterpart
/// becomes an error of the compiler at its line, for code that is compiled: the branch of another architecture is not.
/// True where there was none of that.
bool rewrite_assembly(const Stream& stream, const Brackets& brackets, Edits& edits);

}  // namespace lanework::cudafe
