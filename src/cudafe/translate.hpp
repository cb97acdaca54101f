// One file's text to its edits: everything that is CUDA's own syntax.
#pragma once

#include "src/cudafe/declaration.hpp"

namespace lanework::cudafe {

/// The macros of a file that stand for the word __shared__: `#define SHARED __shared__`.
void collect_shared_words(const TokenizedFile& file, SharedWords& words);

/// The edits that turn CUDA's syntax into calls of the simt headers; none for a file that is C++ as it stands.
/// Throws MalformedError.
Edits translate(const TokenizedFile& file, const SharedWords& words);

}  // namespace lanework::cudafe
