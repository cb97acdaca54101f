// threadIdx, blockIdx, blockDim and gridDim: where they are CUDA's variables, and not a program's own of these names.
#pragma once

#include "src/cudafe/brackets.hpp"

namespace lanework::cudafe {

/// Writes words of the same length in place of the built-in variables, so that every column of a line stays. A name is
/// left alone behind . -> and ::, and wherever the braces around it declare it: `dim3 gridDim(n);`.
void rewrite_builtins(const Stream& stream, const Brackets& brackets, Edits& edits);

}  // namespace lanework::cudafe
