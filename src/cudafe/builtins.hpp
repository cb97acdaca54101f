// threadIdx, blockIdx, blockDim and gridDim where they are CUDA's variables, and not a program's own of these names;
// and functions of the C library that mean something else in device code.
#pragma once

#include "src/cudafe/architecture.hpp"

namespace lanework::cudafe {

/// Writes words of the same length in place of the built-in variables, so that every column of a line stays. A name is
/// left alone behind . -> and ::, and wherever the braces around it declare it: `dim3 gridDim(n);`. In device code,
/// clock(), malloc() and free() become the device's; in code for host and device, and in macros, clock() is the
/// caller's.
void rewrite_builtins(const Stream& stream, const Brackets& brackets, const DeviceCode& device, bool macro_body,
                      Edits& edits);

}  // namespace lanework::cudafe
