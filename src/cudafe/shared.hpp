// __shared__ variables: memory of a block becomes references into memory that the simt device gives each block.
#pragma once

#include <map>

#include "src/cudafe/declaration.hpp"

namespace lanework::cudafe {

/// Shared memory that is declared outside functions, and the token that ends each declaration.
using FileVariables = std::map<std::string_view, std::size_t>;

/// Rewrites the declarations of a stream on the lines where they stand:
///   __shared__ float a[16], b;    float (&a)[16] = SLOT, &b = SLOT;   where SLOT is the block's memory for the
///   variable extern __shared__ float s[];  float *const s = ::lanework_simt::dynamic_shared<float>();
/// and outside functions the latter to `static ::lanework_simt::DynamicShared<float> s;` and the former to functions:
///   __shared__ float a[16];      static inline float (&a())[16] { return SLOT; }   and each later use of a to a().
/// The body of a macro counts as inside. Throws MalformedError for what is not CUDA: an initializer, no name, no end.
/// Returns the variables that it found outside functions.
FileVariables rewrite_shared(const Stream& stream, const Brackets& brackets, const SharedWords& words, bool macro_body,
                             Edits& edits);

/// Calls such variables where they are used: `a` becomes `a()`. A use in the file's code stands behind the declaration.
void rewrite_uses(const Stream& stream, const Brackets& brackets, const FileVariables& variables, bool macro_body,
                  Edits& edits);

}  // namespace lanework::cudafe
